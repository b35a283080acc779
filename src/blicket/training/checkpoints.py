"""Checkpoints: the state of training on disk, whole or not at all."""

import json
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any, final

import torch
from safetensors import SafetensorError
from safetensors.torch import load_file, save
from torch import Tensor

from blicket.core.errors import InputError
from blicket.core.storage import made_directory, written_whole

__all__ = ["Checkpoints"]

SHARE = 0.05
"""At most this share of the time goes into writing checkpoints; what is lost is trained again, with the same result."""


@final
class Checkpoints:
    """A directory with the newest checkpoint: a file of tensors, and the note that makes it count."""

    def __init__(self, directory: Path) -> None:
        self._directory = made_directory(directory)
        self._rested_until = 0.0

    def save(self, update: int, note: Mapping[str, Any], tensors: Mapping[str, Tensor]) -> None:
        """Keep a checkpoint, unless the one before was so lately that writing would take too much of the time."""
        start = time.monotonic()
        if start < self._rested_until:
            return
        file = self._directory / f"update-{update}.safetensors"
        with written_whole(file) as out:
            out.write(save({name: tensor.contiguous() for name, tensor in tensors.items()}))
        with written_whole(self._directory / "newest.json") as out:
            out.write(json.dumps({"file": file.name, **note}).encode())
        for old in self._directory.glob("update-*.safetensors"):
            if old != file:
                old.unlink(missing_ok=True)
        end = time.monotonic()
        self._rested_until = end + (end - start) * (1 / SHARE - 1)

    def newest(self, device: torch.device) -> tuple[dict[str, Any], dict[str, Tensor]] | None:
        """The note and the tensors of the newest checkpoint, if there is one."""
        path = self._directory / "newest.json"
        if not path.exists():
            return None
        try:
            note: dict[str, Any] = json.loads(path.read_bytes())
            return note, load_file(self._directory / note["file"], device=str(device))
        except (OSError, ValueError, KeyError, TypeError, SafetensorError) as error:
            raise InputError(
                f"{path}: the checkpoint cannot be read ({error}); remove {self._directory} to begin anew"
            ) from error
