"""Tests that ask more than one question, of whatever answers: a fitted learner, a file of predictions, a person."""

from blicket.probes.agreement import Agreement
from blicket.probes.asking import asked
from blicket.probes.followups import Beginning, FollowUps, Groups
from blicket.probes.localism import Call, Localism
from blicket.probes.overgeneralisation import Moment
from blicket.probes.overgeneralisation import peak as overgeneralisation_peak
from blicket.probes.overgeneralisation import profile as overgeneralisation_profile
from blicket.probes.substitutivity import Substitutivity
from blicket.probes.synonyms import Closeness, closeness

__all__ = [
    "Agreement",
    "Beginning",
    "Call",
    "Closeness",
    "FollowUps",
    "Groups",
    "Localism",
    "Moment",
    "Substitutivity",
    "asked",
    "closeness",
    "overgeneralisation_peak",
    "overgeneralisation_profile",
]
