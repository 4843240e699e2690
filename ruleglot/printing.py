"""Answers as a person reads them in a terminal."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from ruleglot.talking import sections, sentences
from ruleglot.words import rule_words
from service.terms import Language

Write = Callable[[str], None]
Answer = Mapping[str, Any]
MARKS = {"legal": "✓", "illegal": "✗", "undetermined": "?"}


def as_json(value: Any) -> str:
    """Something that can be pasted back: one line for an action or an answer."""
    return json.dumps(value, ensure_ascii=False)


def print_answer(answer: Answer, write: Write, *, asked: bool = True) -> None:
    """The answer to a check: the headline, then every reason, fact, caution, event, and the question."""
    lang = answer["lang"]
    write(str(answer["headline"]))
    print_reasons("✗", answer["reasons"], write, lang)
    if asked:
        print_reasons("?", answer["unknowns"], write, lang)
    print_reasons("!", answer["cautions"], write, lang)
    print_reasons("→", answer["events"], write, lang)
    if not asked:
        return
    print_reasons("✓", answer["passed"], write, lang)
    if answer["pending"]:
        print_question(answer["pending"], write)


def print_reasons(
    mark: str, entries: Iterable[Answer], write: Write, lang: Language, indent: str = "  "
) -> None:
    """Each sentence with the rules it rests on."""
    for one in entries:
        write(f"{indent}{mark} {one['text']}{sections(one.get('rules'), lang)}")
        for way in one.get("settles", ()):
            write(f"{indent}    {MARKS[way['ruling']]} {way['when_text']}: {way['text']}")


def print_question(pending: Answer, write: Write) -> None:
    """What is asked next, and the inputs that answer it, to be pasted back."""
    write(f"  … {sentences(pending)}")
    for option in pending["options"]:
        write(f"      {as_json({pending['input']: option['value']})}  {option['text']}")


def print_chart_place(pending: Answer, write: Write) -> None:
    """Where on which chart the question stands."""
    places = [f"{frame['title']}: {frame['row_title']}" for frame in pending["frames"][-1:]]
    if places:
        write(f"[{places[0]}]")


def print_hits(found: Answer, write: Write) -> None:
    """The rules found, best first; where none was, what was searched."""
    for hit in found["hits"]:
        print_rule(hit, write, found["lang"])
    if not found["hits"]:
        write(str(found.get("text", "")))
        for near in found.get("suggestions", ()):
            write(f"  {near}")


def print_rule(rule: Answer, write: Write, lang: Language) -> None:
    """A rule: the number it is printed under, its title and what it says."""
    write(f"{rule_words(rule['id'], lang)}  {rule['title']}")
    write(f"    {rule['text']}")


def print_options(found: Answer, write: Write) -> None:
    """What may be done, each action to be pasted back, and why the rest may not."""
    for one in found["options"]:
        write(f"{MARKS[one['ruling']]} {one['headline']}")
        for way in one["actions"]:
            write(f"      {as_json(way['action'])}  {way['text']}")
        print_reasons("?", one["asks"], write, found["lang"], indent="      ")
    if found["pending"]:
        print_question(found["pending"], write)


def print_odds(found: Answer, write: Write) -> None:
    """The chances of each outcome, with what stands in their way."""
    write(str(found["headline"]))
    print_reasons("✗", found["reasons"], write, found["lang"])
    print_reasons("?", found["unknowns"], write, found["lang"])
    print_outcomes(found, write)


def print_outcomes(found: Answer, write: Write, indent: str = "") -> None:
    """The outcomes, likeliest first; apart for each answer where a decision is open."""
    for one in found["outcomes"]:
        write(f"{indent}  {one['probability']['percent']:>8}  {one['text']}")
    for choice in found.get("by_choice", ()):
        write(f"{indent}{'*' if choice.get('best') else '·'} {choice['text']}")
        print_outcomes(choice, write, indent + "  ")


def print_chart(chart: Answer, write: Write) -> None:
    """The rows of a chart, with the one somebody stands at, and where each can lead."""
    write(str(chart["title"]))
    for row in chart["rows"]:
        goes = f" → {', '.join(row['goes'])}" if row["goes"] else ""
        write(f"{'►' if row['here'] else ' '} {row['number']:>2}  {row['name']}: {row['title']}{goes}")


def print_scenario(scenario: Answer, write: Write) -> None:
    """A set-up: what it is, what is chosen in it, and how it is won."""
    write(f"{scenario['id']}  {scenario['title']}")
    write(str(scenario["text"]))
    for choice in scenario["choices"]:
        write(f"  ? {sentences(choice)}")
    for part in ("deck", "victory"):
        for said in scenario[part]:
            write(f"  · {said}")


def print_replay(found: Answer, write: Write) -> None:
    """A session: its moves, what was answered, what happened, and where it stops."""
    lang = found["lang"]
    diverged = [found["diverged"]] if found["diverged"] else []
    for move in [*found["moves"], *diverged]:
        write(f"{move['number']}. {move['headline']}")
        for given in move["answers"]:
            write(f"   • {given['text']}")
        print_reasons("→", move["events"], write, lang, indent="   ")
    for stop in diverged:
        print_reasons("✗", stop["reasons"], write, lang, indent="   ")
        print_reasons("?", stop["unknowns"], write, lang, indent="   ")
        write(str(stop["text"]))
        print_reasons("≠", stop["differences"], write, lang, indent="")
    if found["pending"]:
        print_question(found["pending"], write)
