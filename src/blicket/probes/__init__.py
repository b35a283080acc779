"""Tests that ask more than one question, of whatever answers: a fitted learner, a file of predictions, a person."""

from blicket.probes.agreement import Agreement
from blicket.probes.asking import asked
from blicket.probes.followups import Beginning, FollowUps, Groups
from blicket.probes.localism import Call, Localism
from blicket.probes.substitutivity import Substitutivity

__all__ = ["Agreement", "Beginning", "Call", "FollowUps", "Groups", "Localism", "Substitutivity", "asked"]
