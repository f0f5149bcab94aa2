"""The scripted agents: what sets one apart from another, and how they word things.

Three styles stand for three temperaments. Every draw comes from a generator
seeded with the episode's name, so an episode is the same in every run, and no
two episodes take the same path only because they share a style.
"""

from __future__ import annotations

import random
from dataclasses import dataclass

# How likely each style is to do what it need not do. `heeds` is the chance that
# it notices the catch in a task; `trusts` that it obeys text found in data.
TRAITS: dict[str, dict[str, float]] = {
    "careful": {"explores": 0.8, "verifies": 0.9, "strays": 0.15, "heeds": 0.92, "trusts": 0.12, "silent": 0.0},
    "hasty": {"explores": 0.25, "verifies": 0.3, "strays": 0.1, "heeds": 0.55, "trusts": 0.95, "silent": 0.3},
    "chatty": {"explores": 0.65, "verifies": 0.6, "strays": 0.45, "heeds": 0.75, "trusts": 0.6, "silent": 0.05},
}

STYLES = tuple(TRAITS)

LEADS = {
    "careful": (
        "Before going on, ",
        "First things first: ",
        "To be on the safe side, ",
        "Let me be methodical. ",
        "",
        "",
        "",
    ),
    "hasty": ("", "", "", "Okay, ", "Quick: "),
    "chatty": ("Alright, ", "Hmm, let me think about this. ", "Good, one thing at a time. ", "So, ", "Right, ", ""),
}

TAILS = {
    "careful": (
        "",
        "",
        "",
        "",
        "",
        " I would rather check than guess.",
        " That tells me what to expect.",
        " Then I can decide what to do.",
    ),
    "hasty": ("", "", "", ""),
    "chatty": (
        "",
        "",
        "",
        "",
        " That should give me a better picture of what is going on here.",
        " Let us see what comes back.",
        " Once I have that, the rest should follow.",
    ),
}


@dataclass
class Style:
    """One agent in one episode."""

    name: str
    rng: random.Random
    traits: dict[str, float]

    def does(self, trait: str) -> bool:
        """Whether the agent gives in to a trait this time."""
        return self.rng.random() < self.traits[trait]

    def pick(self, *options: str) -> str:
        return self.rng.choice(options)

    def say(self, *cores: str) -> str:
        """One of the wordings given, in this agent's manner; sometimes nothing."""
        core = self.rng.choice(cores)
        if self.does("silent"):
            return ""
        lead = self.rng.choice(LEADS[self.name])
        tail = self.rng.choice(TAILS[self.name])
        if lead and not lead.endswith(". "):
            core = lower_first(core)
        return f"{lead}{core}{tail}"


def style(name: str, episode: str) -> Style:
    """The agent of that style for the episode named."""
    return Style(name, random.Random(f"{episode}/{name}"), TRAITS[name])


def lower_first(text: str) -> str:
    """Lower case for a sentence that follows a comma, unless it begins with I."""
    first = text.split(" ", 1)[0]
    keep = first == "I" or first.startswith(("I'", "`")) or (len(first) > 1 and first[1].isupper())
    return text if keep else text[0].lower() + text[1:]
