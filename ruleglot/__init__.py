"""Ruleglot for other programs: `Client` asks a server, `check` and the others ask in this process.

>>> import ruleglot
>>> position = {"period": "mexican", "areas": {"shiprock-3": {"raid": 1}}}
>>> position["families"] = {"C": {"at": "shiprock-3", "ferocity": 1}}
>>> answer = ruleglot.check("navajo-wars", position, {"kind": "evade", "family": "C"}, lang="fr")
>>> answer["pending"]["input"]
'die'
"""

from ruleglot.asking import OPERATIONS, Asking
from ruleglot.client import Client
from ruleglot.errors import (
    Changed,
    NoKey,
    NotFound,
    NotPossible,
    NotRuleglot,
    Place,
    Problem,
    RuleglotError,
    ServerError,
    TooManyRequests,
    Unreachable,
    Unreadable,
)
from ruleglot.in_process import Engine, audit, check, odds, options, rules
from ruleglot.plays import PLAY_OPERATIONS, Play

__all__ = [
    "OPERATIONS",
    "PLAY_OPERATIONS",
    "Asking",
    "Changed",
    "Client",
    "Engine",
    "NoKey",
    "NotFound",
    "NotPossible",
    "NotRuleglot",
    "Place",
    "Play",
    "Problem",
    "RuleglotError",
    "ServerError",
    "TooManyRequests",
    "Unreachable",
    "Unreadable",
    "audit",
    "check",
    "odds",
    "options",
    "rules",
]
