"""What a play is called, and what stands in its menu."""

from __future__ import annotations

from service.languages import reader
from service.pages import words
from service.pages.words import Say
from service.play_kept import Play
from service.terms import Language


def title(play: Play, lang: Language) -> str:
    """What a play is called: by its players, by its scenario, or by its game."""
    scenario = next((one.title for one in play.game.scenarios if one.id == play.scenario), "")
    return play.name or scenario or reader(lang).say(play.game.title, {})


def menu(play: Play, say: Say) -> list[tuple[str, str]]:
    """What stands behind the three dots of a play."""
    at, game = f"/play/{play.id}", play.game.name
    return [
        (say("rules"), f"/rules/{game}"),
        (say("report"), f"{at}/report"),
        (say("share"), f"{at}/share"),
        (say("copy"), f"{at}/copy"),
        (say("audit"), f"{at}/audit"),
        (say("transcript"), f"{at}/transcript"),
    ]


words.sentences(
    {
        "copy": "Your copy",
        "audit": "Is my table right?",
        "transcript": "Save as a file",
    }
)
