"""Tests that ask more than one question, of whatever answers: a fitted learner, a file of predictions, a person."""

from blicket.probes.asking import asked
from blicket.probes.followups import Beginning, FollowUps, Groups

__all__ = ["Beginning", "FollowUps", "Groups", "asked"]
