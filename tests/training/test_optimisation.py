"""Optimisers, clipping and schedules against PyTorch's and the formula."""

import pytest
import torch
from torch import Tensor

from blicket.training.optimisation import Adam, Optimiser, Sgd
from blicket.training.schedules import Pace, Schedule

SHAPES = ((4, 3), (5,), (2, 3, 2))
SEEDS = 3
BETAS = (0.9, 0.998)


def stack(seeds: int = SEEDS) -> list[Tensor]:
    return [torch.randn(seeds, *shape, requires_grad=True) for shape in SHAPES]


def alone(parameters: list[Tensor], seed: int) -> list[Tensor]:
    return [p.detach()[seed].clone().requires_grad_() for p in parameters]


def gradients(number: int) -> list[Tensor]:
    """Of different sizes for each seed, as some are to be clipped and others not."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(number)
        size = torch.tensor([0.1, 30.0, 1.0])
        return [torch.randn(SEEDS, *shape) * size.view(-1, *(1,) * len(shape)) for shape in SHAPES]


@pytest.mark.parametrize("clip", [None, 1.0])
@pytest.mark.parametrize("parts", [1, 4])
def test_twenty_updates_are_those_of_torch_on_each_seed_alone(clip: float | None, parts: int) -> None:
    together = stack()
    separate = [alone(together, seed) for seed in range(SEEDS)]
    theirs = [torch.optim.Adam(parameters, lr=1.0, betas=BETAS, eps=1e-8) for parameters in separate]
    ours = Adam(together, BETAS, clip)
    for p in together:
        p.grad = torch.zeros_like(p)
    clipped = set()
    for number in range(1, 21):
        rate, examples = 0.02 / number, 7 * parts
        for part in range(parts):
            for p, gradient in zip(together, gradients(100 * number + part), strict=True):
                p.grad += gradient
            for seed, parameters in enumerate(separate):
                for p, gradient in zip(parameters, gradients(100 * number + part), strict=True):
                    # The mean over all examples of the update.
                    more = gradient[seed] / examples
                    p.grad = more if part == 0 else p.grad + more
        norms = ours.update(number, [rate] * SEEDS, [examples] * SEEDS)
        for seed, (optimizer, parameters) in enumerate(zip(theirs, separate, strict=True)):
            norm = torch.nn.utils.clip_grad_norm_(parameters, float("inf") if clip is None else clip)
            torch.testing.assert_close(norms[seed], norm)
            clipped.add((seed, clip is not None and bool(norm > clip)))
            optimizer.param_groups[0]["lr"] = rate
            optimizer.step()
            for p, q in zip(together, parameters, strict=True):
                torch.testing.assert_close(p[seed], q, atol=1e-6, rtol=1e-5)
        assert not any(p.grad.any() for p in together)  # ready for the next update
    assert clip is None or clipped >= {(0, False), (1, True)}


def test_clipping_goes_by_the_norm_of_the_mean() -> None:
    """A summed gradient of norm 10 over 10 examples has a mean of norm 1, and is not clipped at 2."""
    ours = Adam([torch.zeros(1, 1, requires_grad=True)], BETAS, 2.0)
    ours.parameters[0].grad = torch.full((1, 1), 10.0)
    assert ours.update(1, [0.1], [10]).tolist() == [1.0]
    assert ours.means[0].item() == pytest.approx(0.1)
    ours.parameters[0].grad = torch.full((1, 1), 50.0)
    assert ours.update(2, [0.1], [10]).tolist() == [5.0]
    assert ours.means[0].item() == pytest.approx(0.9 * 0.1 + 0.1 * 2.0, rel=1e-5)


@pytest.mark.parametrize("clip", [None, 1.0])
@pytest.mark.parametrize("bad", [float("nan"), float("inf"), -float("inf")])
def test_a_seed_without_numbers_leaves_the_others_alone(clip: float | None, bad: float) -> None:
    together = stack()
    healthy = [p.detach().clone().requires_grad_() for p in together]
    optimisers = Adam(together, BETAS, clip), Adam(healthy, BETAS, clip)
    for number in range(1, 6):
        for which, (optimiser, parameters) in enumerate(zip(optimisers, (together, healthy), strict=True)):
            for p, gradient in zip(parameters, gradients(number), strict=True):
                p.grad = gradient.clone()
                if which == 0 and number == 2:
                    p.grad[1].view(-1)[0] = bad
            norms = optimiser.update(number, [0.01] * SEEDS, [4] * SEEDS)
            assert torch.isfinite(norms[[0, 2]]).all()
    for p, q in zip(together, healthy, strict=True):
        assert torch.isfinite(p[[0, 2]]).all()
        assert torch.equal(p[[0, 2]], q[[0, 2]])
    assert not all(torch.isfinite(p[1]).all() for p in together)


def test_noam_is_the_formula() -> None:
    schedule = Schedule("noam", rate=2.0, warmup=4000, width=512)
    for update in (1, 2, 100, 3999, 4000, 4001, 30_000):
        assert schedule(update) == pytest.approx(2 / 512**0.5 * min(1 / update**0.5, update / 4000**1.5))
    rates = [schedule(update) for update in range(1, 9000)]
    assert rates.index(max(rates)) + 1 == 4000
    assert max(rates) == pytest.approx(2 / (512 * 4000) ** 0.5)
    assert rates[9] == pytest.approx(10 * rates[0])


def test_a_constant_rate_is_constant() -> None:
    schedule = Schedule("constant", rate=1e-4)
    assert {schedule(update) for update in (1, 10, 50_000)} == {1e-4}


RATES = (0.3, 0.02, 1.0)
COUNTS = (3, 5, 2)


@pytest.mark.parametrize("clip", [None, 1.0])
@pytest.mark.parametrize("kind", ["adam", "sgd", "nesterov"])
def test_each_seed_has_its_own_rate_and_number_of_tokens(kind: str, clip: float | None) -> None:
    together = stack()
    separate = [alone(together, seed) for seed in range(SEEDS)]
    ours: Optimiser
    theirs: list[torch.optim.Optimizer]
    if kind == "adam":
        ours = Adam(together, BETAS, clip)
        theirs = [torch.optim.Adam(parameters, betas=BETAS) for parameters in separate]
    else:
        momentum = 0.99 if kind == "nesterov" else 0.0
        ours = Sgd(together, momentum, clip)
        theirs = [torch.optim.SGD(parameters, 1.0, momentum, nesterov=momentum > 0) for parameters in separate]
    for number in range(1, 16):
        rates = [rate / number for rate in RATES]
        for p, gradient in zip(together, gradients(number), strict=True):
            p.grad = gradient.clone()
        norms = ours.update(number, rates, COUNTS)
        for seed, (optimizer, parameters) in enumerate(zip(theirs, separate, strict=True)):
            for p, gradient in zip(parameters, gradients(number), strict=True):
                p.grad = gradient[seed] / COUNTS[seed]
            norm = torch.nn.utils.clip_grad_norm_(parameters, float("inf") if clip is None else clip)
            torch.testing.assert_close(norms[seed], norm)
            optimizer.param_groups[0]["lr"] = rates[seed]
            optimizer.step()
            for p, q in zip(together, parameters, strict=True):
                torch.testing.assert_close(p[seed], q, atol=1e-5, rtol=1e-5)
    assert len(ours.memory) == {"adam": 2, "sgd": 0, "nesterov": 1}[kind]


LOSSES = (5.0, 4.0, 4.0, 3.9999, 3.5, 3.6, 3.4, 3.4, 3.4, 2.0, 9.0, 1.0)


def paces(schedule: Schedule) -> list[float]:
    """The share of the rate after each validation."""
    pace, shares = Pace(), []
    for number, loss in enumerate(LOSSES, start=1):
        pace = schedule.after(pace, number, loss)
        shares.append(pace.share)
    return shares


def test_a_plateau_is_that_of_torch() -> None:
    optimizer = torch.optim.SGD([torch.zeros(1, requires_grad=True)], 0.25)
    theirs = torch.optim.lr_scheduler.ReduceLROnPlateau(optimizer, factor=0.1, patience=0, eps=0.0)
    wanted = []
    for loss in LOSSES:
        optimizer.step()
        theirs.step(loss)
        wanted.append(optimizer.param_groups[0]["lr"])
    ours = [0.25 * share for share in paces(Schedule("plateau", 0.25, factor=0.1))]
    assert ours == pytest.approx(wanted, rel=1e-9)
    assert wanted[-1] < 0.25 * 1e-5


def test_a_rate_decays_from_a_validation_on() -> None:
    """With dev losses that only fall, as torch.optim's MultiplicativeLR does it from then on."""
    optimizer = torch.optim.SGD([torch.zeros(1, requires_grad=True)], 1.0)
    theirs = torch.optim.lr_scheduler.MultiplicativeLR(optimizer, lambda epoch: 0.5 if epoch >= 8 else 1.0)
    schedule, pace = Schedule("decay", 1.0, factor=0.5, decay_from=8), Pace()
    for number in range(1, 26):
        optimizer.step()
        theirs.step()
        pace = schedule.after(pace, number, 10.0 - 0.1 * number)
        assert schedule(number) * pace.share == optimizer.param_groups[0]["lr"]
    assert pace.share == 0.5**18


def test_a_rate_decays_for_good_once_a_dev_loss_was_worse_than_the_one_before() -> None:
    shares = paces(Schedule("decay", 1.0, factor=0.5, decay_from=100))
    assert shares == [1.0] * 5 + [0.5**n for n in range(1, 8)]


@pytest.mark.parametrize("kind", ["noam", "constant"])
def test_what_does_not_depend_on_dev_has_one_pace(kind: str) -> None:
    assert set(paces(Schedule(kind))) == {1.0}  # type: ignore[arg-type]
