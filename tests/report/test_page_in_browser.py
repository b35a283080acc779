"""The page as a reader sees it, in Chromium."""

import pytest

import blicket
from blicket.report import report_of, write_report
from blicket.report.parsepicture import parse_picture
from blicket.report.parses import Parse

# Colours as canvas reads them, the nearest opaque background behind an element, and the contrast of WCAG 2.2, 1.4.3.
CONTRASTS = """() => {
  const context = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  const rgba = colour => {
    context.clearRect(0, 0, 1, 1); context.fillStyle = colour; context.fillRect(0, 0, 1, 1);
    return [...context.getImageData(0, 0, 1, 1).data];
  };
  const luminance = ([r, g, b]) => {
    const [x, y, z] = [r, g, b].map(c => (c /= 255) <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
    return 0.2126 * x + 0.7152 * y + 0.0722 * z;
  };
  const behind = node => {
    for (; node; node = node.parentElement) {
      const colour = rgba(getComputedStyle(node).backgroundColor);
      if (colour[3] === 255) return colour;
    }
  };
  const found = {};
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = walker.currentNode.parentElement;
    if (!walker.currentNode.textContent.trim() || node.closest('title, desc, style')) continue;
    const style = getComputedStyle(node);
    const colour = rgba(node.closest('svg') ? style.fill : style.color);
    const [a, b] = [luminance(colour), luminance(behind(node))].sort((x, y) => y - x);
    const name = `${node.tagName} ${node.className.baseVal ?? node.className}`;
    found[name] = Math.min(found[name] ?? 21, (a + 0.05) / (b + 0.05));
  }
  return found;
}"""

# Texts of figures that lie over each other, stick out of their figure, or reach into its axis.
OVERLAPPING = """() => [...document.querySelectorAll('svg[role=img]')].flatMap(svg => {
    const texts = [...svg.querySelectorAll('text')].map(node => [node, node.getBoundingClientRect()])
        .filter(([, box]) => box.width);
    const frame = svg.getBoundingClientRect();
    const out = texts.filter(([, b]) => b.left < frame.left - 1 || b.right > frame.right + 1);
    const on = texts.filter(([a, x], i) => texts.slice(i + 1).some(([b, y]) =>
        x.left < y.right - 1 && y.left < x.right - 1 && x.top < y.bottom - 3 && y.top < x.bottom - 3));
    const axis = Math.min(...[...svg.querySelectorAll('.grid')].map(node => node.getBoundingClientRect().left));
    const over = svg.matches('.wide') ? texts.filter(([a, b]) => a.matches('.label') && b.right > axis) : [];
    const figure = svg.querySelector('title').textContent;
    return [...out, ...on, ...over].map(([node]) => `${figure}: ${node.textContent}`);
})"""


@pytest.fixture(scope="module")
def address(transformer, lstm, quick, tmp_path_factory):
    page = write_report(report_of([transformer, lstm, quick]), tmp_path_factory.mktemp("page"))
    return page.resolve().as_uri()


@pytest.fixture
def opened(browser, address):
    """Opens the page in a window of some width, with everything that can be unfolded unfolded."""
    contexts = []

    def open_(width=1280, scheme="light", heard=None):
        context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme)
        contexts.append(context)
        page = context.new_page()
        if heard is not None:
            page.on("console", lambda message: heard.append(f"console: {message.text}"))
            page.on("pageerror", lambda error: heard.append(f"error: {error}"))
            page.on("request", lambda request: heard.append(f"request: {request.url}"))
        page.goto(address)
        page.evaluate("document.querySelectorAll('details').forEach(details => details.open = true)")
        return page

    yield open_
    for context in contexts:
        context.close()


@pytest.mark.parametrize("width", [1280, 390])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_opens_without_a_word_or_a_request(opened, address, width, scheme):
    heard = []
    page = opened(width, scheme, heard)
    page.wait_for_timeout(200)
    assert heard == [f"request: {address}"]
    assert page.title().startswith("COGS: ")


@pytest.mark.parametrize("width", [1280, 768, 390, 320])
def test_nothing_sticks_out(opened, width):
    page = opened(width)
    assert page.evaluate("document.documentElement.scrollWidth") == width
    beyond = page.evaluate(
        """width => [...document.querySelectorAll('main *')].filter(node => {
            const box = node.getBoundingClientRect();
            return box.width && box.right > width + 0.5 && !node.closest('.scroll, .recipe, .gloss, .drawn');
        }).map(node => `${node.tagName} ${node.textContent.slice(0, 40)}`)""",
        width,
    )
    assert beyond == []


@pytest.mark.parametrize("width", [1280, 390])
def test_wide_tables_scroll_in_their_own_box(opened, width):
    page = opened(width)
    boxes = page.evaluate(
        "[...document.querySelectorAll('.scroll')].map(b => [b.scrollWidth, b.clientWidth, b.tabIndex])"
    )
    assert boxes
    if width == 390:
        assert all(inside > outside for inside, outside, _ in boxes)
    assert all(focus == 0 for _, _, focus in boxes)


@pytest.mark.parametrize(("width", "shown", "hidden"), [(1280, "wide", "narrow"), (390, "narrow", "wide")])
def test_the_figures_of_a_width_are_shown_and_their_letters_can_be_read(opened, width, shown, hidden):
    page = opened(width)
    assert page.locator(f"svg.{shown}").first.is_visible()
    assert not page.locator(f"svg.{hidden}").first.is_visible()
    smallest = page.evaluate(
        """() => Math.min(...[...document.querySelectorAll('svg text')]
            .filter(node => node.getBoundingClientRect().width)
            .map(node => parseFloat(getComputedStyle(node).fontSize) * node.getScreenCTM().a))"""
    )
    assert smallest >= 10


@pytest.mark.parametrize("width", [1280, 390])
def test_labels_do_not_run_into_each_other_or_out_of_the_figure(opened, width):
    page = opened(width)
    assert page.evaluate(OVERLAPPING) == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_stands_out(opened, scheme):
    contrasts = opened(1280, scheme).evaluate(CONTRASTS)
    assert len(contrasts) > 20
    assert {name: round(contrast, 2) for name, contrast in contrasts.items() if contrast < 4.5} == {}


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_marks_stand_out(opened, scheme):
    """Non-text contrast, WCAG 2.2, 1.4.11."""
    page = opened(1280, scheme)
    colours = page.evaluate(
        """() => ['--paper', ...[0, 1, 2, 3, 4, 5].map(i => `--m${i}`)]
            .map(name => getComputedStyle(document.documentElement).getPropertyValue(name).trim())"""
    )
    paper, *marks = (luminance(colour) for colour in colours)
    for mark in marks:
        lighter, darker = max(paper, mark), min(paper, mark)
        assert (lighter + 0.05) / (darker + 0.05) >= 3
    assert len(set(colours)) == 7


def luminance(colour):
    channels = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def test_dark_is_dark(opened):
    read = "getComputedStyle(document.body).backgroundColor + getComputedStyle(document.querySelector('.m0.dot')).fill"
    light, dark = (opened(1280, scheme).evaluate(read) for scheme in ("light", "dark"))
    assert light == "rgb(253, 252, 249)rgb(0, 114, 178)"
    assert dark == "rgb(23, 24, 25)rgb(86, 180, 233)"


def test_differences_are_marked_by_more_than_colour(opened):
    page = opened()
    lines = "node => getComputedStyle(node).textDecorationLine"
    assert page.locator(".gloss del").first.evaluate(lines) == "line-through"
    assert page.locator(".gloss ins").first.evaluate(lines) == "underline"


def test_gold_and_answer_are_aligned_token_by_token(opened):
    page = opened()
    aslant = page.evaluate(
        """() => [...document.querySelectorAll('.gloss .p')].filter(pair => {
            const [gold, said] = [...pair.children].map(node => node.getBoundingClientRect());
            return pair.children.length !== 2 || said.top < gold.bottom - 1 ||
                Math.abs((gold.left + gold.right) - (said.left + said.right)) > 2 * Math.max(gold.width, said.width);
        }).length"""
    )
    assert aslant == 0


@pytest.mark.parametrize("width", [1280, 390])
def test_pictures_of_parses_keep_their_size_and_wide_ones_scroll_in_their_own_box(opened, width):
    page = opened(width)
    boxes = page.evaluate(
        """() => [...document.querySelectorAll('.drawn')].map(box => {
            const svg = box.querySelector('svg.parse');
            return [Number(svg.getAttribute('width')), svg.getBoundingClientRect().width,
                box.clientWidth, box.scrollWidth, box.tabIndex];
        })"""
    )
    assert len(boxes) > 20
    for wanted, drawn, room, inside, focus in boxes:
        assert drawn == pytest.approx(wanted, abs=0.1)
        assert inside == pytest.approx(max(room, wanted), abs=1)
        assert focus == 0
    assert any(inside > room for _, _, room, inside, _ in boxes) == (width == 390)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_what_differs_in_a_parse_is_marked_by_more_than_colour(opened, scheme):
    page = opened(1280, scheme)

    def looks(selector, *names):
        node = page.locator(selector).first
        return [node.evaluate(f"node => getComputedStyle(node).{name}") for name in names]

    same, wrong, missing = (
        looks(f".parse .{fate} .arc", "strokeDasharray", "strokeWidth") for fate in ("same", "wrong", "missing")
    )
    assert (same[0], wrong[0]) == ("none", "none")
    assert missing[0] != "none"
    assert float(wrong[1][:-2]) >= 1.8 * float(same[1][:-2])
    assert looks(".parse .wrong .filler", "textDecorationLine") == ["underline"]
    assert looks(".parse .missing .filler", "textDecorationLine") == ["line-through"]
    assert page.locator(".parse .over.wrong").first.text_content().startswith("wrong: ")
    assert page.locator(".parse .over.missing").first.text_content().startswith("missing: ")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_lines_of_parses_stand_out(opened, scheme):
    page = opened(1280, scheme)
    paper = colour_of(page, "body", "backgroundColor")
    for selector in (".parse .same .arc", ".parse .wrong .arc", ".parse .missing .arc", ".parse .slot.same rect"):
        ours, theirs = luminance(colour_of(page, selector, "stroke")), luminance(paper)
        assert (max(ours, theirs) + 0.05) / (min(ours, theirs) + 0.05) >= 3


def colour_of(page, selector, name):
    said = page.locator(selector).first.evaluate(f"node => getComputedStyle(node).{name}")
    return "#" + "".join(f"{int(part):02x}" for part in said[4:-1].split(", "))


@pytest.fixture(scope="module")
def alone(tmp_path_factory):
    """A long sentence beside gold, in a file of its own."""
    cogs = blicket.benchmark("cogs")
    tokens = (
        "Emma said that Liam hoped that the girl beside the table in the house believed that a cat was given a cookie "
        "on the tray in the box on the bed beside the tree by the boy in a room ."
    ).split()
    gold = cogs.interpret((" ".join(tokens),), "conjunctive")
    read = cogs.notations["conjunctive"].read
    said = gold.replace("give . theme ( x _ 18", "give . recipient ( x _ 9").replace("nmod . in", "nmod . on")
    assert len(tokens) == 41
    parse = Parse(tokens, read(tokens, said), read(tokens, gold), {"verb": ["agent", "theme", "xcomp"]})
    file = tmp_path_factory.mktemp("alone") / "parse.svg"
    file.write_text(parse_picture(parse, alone=True), "utf-8")
    return file.as_uri()


def test_a_picture_alone_is_light_or_dark(browser, alone):
    seen = []
    for scheme in ("light", "dark"):
        context = browser.new_context(color_scheme=scheme)
        page = context.new_page()
        page.goto(alone)
        seen.append([colour_of(page, ".paper", "fill"), colour_of(page, "text.content", "fill")])
        context.close()
    assert seen == [["#fdfcf9", "#1d1c1a"], ["#171819", "#e7e4dd"]]


def test_in_a_long_sentence_no_text_runs_into_another_or_out_of_its_box(browser, alone):
    context = browser.new_context()
    page = context.new_page()
    page.goto(alone)
    assert page.evaluate(OVERLAPPING) == []
    out = page.evaluate(
        """() => [...document.querySelectorAll('.slot')].filter(slot => {
            const box = slot.querySelector('rect').getBoundingClientRect();
            return [...slot.querySelectorAll('text')].some(node => {
                const text = node.getBoundingClientRect();
                return text.left < box.left || text.right > box.right;
            });
        }).map(slot => slot.textContent)"""
    )
    assert out == []
    context.close()


def test_long_errors_scroll_or_fold(opened):
    page = opened(390)
    heights = page.evaluate("[...document.querySelectorAll('.gloss')].map(node => node.clientHeight)")
    assert max(heights) <= 17 * 16 + 1
    assert page.locator(".gloss .fold").count() > 0


def test_what_is_in_an_answer_does_not_run(opened):
    page = opened()
    assert "broken into" not in page.title()
    assert page.locator("script").count() == 0


def test_it_prints_all_there_is(browser, address, tmp_path):
    context = browser.new_context()
    page = context.new_page()
    page.goto(address)
    page.emulate_media(media="print")
    page.pdf(path=tmp_path / "page.pdf")
    context.close()
    assert (tmp_path / "page.pdf").stat().st_size > 50_000


@pytest.mark.parametrize("width", [1280, 390])
def test_probes_are_drawn_without_overlaps_and_within_the_page(browser, probed_runs, tmp_path, width):
    address = write_report(report_of(probed_runs), tmp_path).resolve().as_uri()
    page = browser.new_page(viewport={"width": width, "height": 900})
    page.goto(address)
    page.evaluate("document.querySelectorAll('details').forEach(details => details.open = true)")
    assert page.evaluate("document.documentElement.scrollWidth") == width
    assert page.evaluate(OVERLAPPING) == []
    assert page.locator("svg[role=img]").count() > 20
    page.close()
