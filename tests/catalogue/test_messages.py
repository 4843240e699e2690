"""Every sentence is translated, in the terms and the style of each language's own player aids."""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from gettext import NullTranslations
from pathlib import Path
from typing import NamedTuple

import msgspec
import pytest
from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po

from engine.messages import Message
from service import catalogs, terms
from service.languages import Reader, reader
from service.terms import Language

ROOT = Path(__file__).parents[2]
TRANSLATIONS: tuple[Language, ...] = ("fr", "it", "ja")

# Asked in a process of its own: other tests register sentences of toy games.
ASKED = """
import json
from service import catalogs
print(json.dumps({
    "sentences": {
        domain: {name: [message.text, message.one] for name, message in registered.items()}
        for domain, registered in catalogs.DOMAINS.items()
    },
    "files": {
        f"{lang} {domain}": catalogs.written(catalogs.updated(lang, domain)).decode()
        for domain in catalogs.DOMAINS
        for lang in ("fr", "it", "ja")
    },
}))
"""
_TOLD = json.loads(subprocess.check_output([sys.executable, "-c", ASKED], cwd=ROOT))
SENTENCES = {
    domain: {name: Message(name, text, one=one) for name, (text, one) in registered.items()}
    for domain, registered in _TOLD["sentences"].items()
}
FILES: dict[str, str] = _TOLD["files"]
WRITTEN = [(lang, domain) for domain, sentences in SENTENCES.items() if sentences for lang in TRANSLATIONS]
PLACEHOLDER = re.compile(r"%\((\w+)\)[sd]")
SAMPLE = 3  # fits %s and %d

# English phrases in which a word of the termbase is an ordinary word.
ORDINARY = {
    # Not the cards or markers a player holds.
    "nw.hand": ["at hand", "by-hand", "by hand"],
    # Not a Reaction that costs no AP.
    "nw.reaction.free": ["is free", "a free Territory"],
    # The counters, and not the Reaction.
    "nw.reaction.harass": ["remove Raid and Harass"],
    # A noun.
    "nw.verb.place": ["in place", "in its place", "changes places", "change places"],
    # A player's move in a play, and not a Family's.
    "nw.verb.move": ["Moves that can be", "This move was imported", "your move again", "moves are kept"],
    # Of the whole map, and not of one Territory.
    "nw.ph.any_area_of": ["in any Area"],
    # A field to a request or a sum, and not a counter to a box.
    "nw.verb.add": ["Add it", "adding up"],
    # Not the Instruction.
    "nw.instruction.build": ["Build the deck"],
    # A line on the map, and not a card or a cube.
    "nw.verb.draw": ["connection is drawn"],
    # Said of words, and not of numbers.
    "nw.cmp.less_equal": ["means no more than"],
    # A verb.
    "jul.force": ["it forces the"],
    # What terrain does, and not the marker.
    "jul.use.military_double_combat": ["double the combat factors"],
}
# What remains of sentences that are the same everywhere, without placeholders and kept English names.
SAME_EVERYWHERE = re.compile(r"([\W\d_]|Navajo Wars|Julian|null)*")
# Names of places: in Japanese the name of an Area has the word for it (Hopi Landのエリア#1).
JAPANESE_AREA = re.compile(r"%\((area|start|to|first_area|second_area)\)s")
# What a French sentence quotes as it is written elsewhere: names of the game, JSON and HTTP.
QUOTED = re.compile(
    r"Raid!|Comanche!|Utes!|Content-Type: application/json|Authorization: Bearer|\{[^}]*\}|https?:|\w+:\w+[.\w-]*"
)
ENGLISH = re.compile(
    r"\b(the|is|are|and|must|may|not|with|which|this|that|was|were|been|cannot|from|your|their|there|has|have|does|"
    r"where|what|who)\b",
    re.IGNORECASE,
)


class Sentence(NamedTuple):
    """A message and how one language words it."""

    lang: Language
    domain: str
    message: Message
    words: str

    def __str__(self) -> str:
        return f"{self.lang} {self.message.name}: {self.words!r} for {self.message.text!r}"


@cache
def catalog(lang: str, domain: str) -> Catalog:
    path = catalogs.path(lang, domain)
    assert path.exists(), f"{path} is missing: run `make messages`"
    with path.open("rb") as lines:
        return read_po(lines, locale=lang, abort_invalid=True)


@cache
def translated(lang: Language, domain: str) -> tuple[Sentence, ...]:
    """Every sentence of the code that has a translation; whether all have is one test's business."""
    return tuple(
        Sentence(lang, domain, message, words)
        for name, message in SENTENCES[domain].items()
        if (entry := catalog(lang, domain).get(message.one[1] if message.one else message.text, context=name))
        and entry.string
        and not entry.fuzzy
        for words in ((entry.string,) if isinstance(entry.string, str) else tuple(entry.string))
    )


def no(found: Iterator[object]) -> None:
    """Nothing of the kind was found; otherwise all of it is shown."""
    lines = [str(one) for one in found]
    if lines:
        pytest.fail(f"{len(lines)} found:\n" + "\n".join(lines[:40]), pytrace=False)


# -- complete ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("lang", "domain"), WRITTEN)
def test_every_sentence_is_translated(lang: Language, domain: str) -> None:
    done = {sentence.message.name for sentence in translated(lang, domain)}
    no(f"{lang} {name}: {message.text!r}" for name, message in SENTENCES[domain].items() if name not in done)


@pytest.mark.parametrize(("lang", "domain"), WRITTEN)
def test_nothing_is_fuzzy_obsolete_or_said_by_no_code(lang: Language, domain: str) -> None:
    entries = [entry for entry in catalog(lang, domain) if entry.id]
    no(f"fuzzy: {entry.context}" for entry in entries if entry.fuzzy)
    no(f"obsolete: {entry.context}" for entry in catalog(lang, domain).obsolete.values())
    no(f"not in the code: {entry.context}" for entry in entries if entry.context not in SENTENCES[domain])


@pytest.mark.parametrize(("lang", "domain"), WRITTEN)
def test_the_file_is_what_make_messages_would_write(lang: Language, domain: str) -> None:
    def entries(text: str) -> list[str]:
        return text.split("\n\n")[1:]  # the header has a date

    path = catalogs.path(lang, domain)
    kept, fresh = entries(path.read_text(encoding="utf-8")), entries(FILES[f"{lang} {domain}"])
    if kept != fresh:
        first = next((new for old, new in zip(kept, fresh, strict=False) if old != new), "the end")
        pytest.fail(
            f"{path} is out of date: run `make messages`. It differs first at\n{first}", pytrace=False
        )


@pytest.mark.parametrize(("lang", "domain"), WRITTEN)
def test_what_is_said_is_what_is_in_the_file(lang: Language, domain: str) -> None:
    """A stale .mo would speak of yesterday's rules: run `make catalogs`."""
    spoken = reader(lang)._catalog
    no(
        sentence
        for sentence in translated(lang, domain)
        if sentence.words not in forms(spoken, sentence.message)
    )


def forms(spoken: NullTranslations, message: Message) -> set[str]:
    """How a sentence is said: of one thing and of several, where it counts them."""
    if message.one is None:
        return {spoken.pgettext(message.name, message.text)}
    return {spoken.npgettext(message.name, message.one[1], message.text, count) for count in (1, 2)}


# -- placeholders and rendering ----------------------------------------------------------------------


@pytest.mark.parametrize(("lang", "domain"), WRITTEN)
def test_the_same_placeholders(lang: Language, domain: str) -> None:
    no(
        sentence
        for sentence in translated(lang, domain)
        if set(PLACEHOLDER.findall(sentence.message.text)) != set(PLACEHOLDER.findall(sentence.words))
    )


@pytest.mark.parametrize("lang", terms.LANGUAGES)
def test_every_message_renders(lang: Language) -> None:
    speaks = Reader(lang)
    for sentences in SENTENCES.values():
        for message in sentences.values():
            said = speaks.say(message, dict.fromkeys(PLACEHOLDER.findall(message.text), SAMPLE))
            assert said.strip() == said != ""
            assert "%(" not in said, message.name
            assert said.count(str(SAMPLE)) >= len(set(PLACEHOLDER.findall(message.text))), message.name


@pytest.mark.parametrize("domain", SENTENCES)
def test_english_sentences_are_well_formed(domain: str) -> None:
    for name, message in SENTENCES[domain].items():
        assert message.text == " ".join(message.text.split()), name
        assert not re.search(r"%(?!\(\w+\)[sd])", message.text), name
        assert "{" not in PLACEHOLDER.sub("", message.text).replace("{…}", "").replace("{: …}", ""), name


# -- terms -------------------------------------------------------------------------------------------


@cache
def strings(folder: str) -> frozenset[str]:
    """Every string that a game's code and data files write, as far as it can be a message's name."""
    found: set[str] = set()
    for path in (ROOT / "engine" / folder).rglob("*.py"):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        found |= {
            node.value
            for node in ast.walk(tree)
            if isinstance(node, ast.Constant) and isinstance(node.value, str)
        }
    for path in (ROOT / "engine" / folder).rglob("*.toml"):
        found |= set(re.findall(r'^(?:name|id) = "([^"]+)"', path.read_text(encoding="utf-8"), re.MULTILINE))
    return frozenset(found)


def games(name: str) -> list[str]:
    """The games whose code says a message; what the kernel and the service say belongs to both."""
    if re.search(r"\b(nw|jul):", name):
        return ["nw" if "nw:" in name else "jul"]
    whole = name.removesuffix(".met")
    parts = {whole, *whole.split(".")[1:2]} if whole.startswith("issue.") else {whole}
    owners = {"nw": "navajo_wars", "jul": "julian"}
    return [game for game, folder in owners.items() if parts & strings(folder)] or list(owners)


def without_ordinary_words(text: str, concept: str) -> str:
    for phrase in ORDINARY.get(concept, ()):
        text = text.replace(phrase, "\N{OBJECT REPLACEMENT CHARACTER}")
    return text


def uses(sentence: Sentence, concept: str) -> bool:
    """Whether a sentence has a term; an Italian verb may carry its pronoun (rimuovetene, distruggerlo)."""
    words = sentence.words
    if sentence.lang == "it":
        words = re.sub(r"\b(\w+[aei]te|\w+ando|\w+endo)(ne|lo|la|li|le)\b", r"\1", words)
        words = re.sub(r"\b(\w+[aei]r)(ne|lo|la|li|le)\b", r"\1e", words)
    return terms.uses(words, terms.load()[concept], sentence.lang)


def missing_concepts(sentence: Sentence, game: str) -> list[str]:
    return [
        name
        for name in terms.find(sentence.message.text, "en", game)
        if not uses(sentence, name)
        and name in terms.find(without_ordinary_words(sentence.message.text, name), "en", game)
    ]


def with_names(sentence: Sentence) -> Sentence:
    """A sentence with the words that its placeholders bring along."""
    if sentence.lang != "ja":
        return sentence
    return sentence._replace(words=JAPANESE_AREA.sub("エリア", sentence.words))


def missing_terms(sentence: Sentence, game: str) -> list[str]:
    return [
        f"{name} ({terms.load()[name].term(sentence.lang)})"
        for name in missing_concepts(sentence, game)
        if (sentence.message.name, name) not in waived(sentence.lang)
    ]


@cache
def waived(lang: Language) -> dict[tuple[str, str], str]:
    """The terms a sentence says in other words, by message and concept, each with its reason."""
    path = ROOT / "tests" / "catalogue" / f"waived-{lang}.toml"
    listed = msgspec.toml.decode(path.read_bytes())["waived"] if path.exists() else []
    return {(one["message"], one["term"]): one["reason"] for one in listed}


def test_messages_are_told_apart_by_game() -> None:
    assert games("ambush-without-military") == games("ambush-without-military.met") == ["nw"]
    assert games("issue.ambush-ap-cost.free") == ["nw"]
    assert games("problem.not-json") == games("die-out-of-range") == ["nw", "jul"]


@pytest.mark.parametrize(("lang", "domain"), WRITTEN)
def test_each_term_of_a_sentence_is_the_languages_own_term(lang: Language, domain: str) -> None:
    def wrong() -> Iterator[str]:
        for sentence in translated(lang, domain):
            missing = [missing_terms(with_names(sentence), game) for game in games(sentence.message.name)]
            if all(missing):
                yield f"{', '.join(missing[0])} missing in {sentence}"

    no(wrong())


@pytest.mark.parametrize("lang", TRANSLATIONS)
def test_every_waiver_has_a_reason_and_is_needed(lang: Language) -> None:
    needed = {
        (sentence.message.name, name)
        for domain in SENTENCES
        for sentence in translated(lang, domain)
        for game in games(sentence.message.name)
        for name in missing_concepts(sentence, game)
    }
    assert all(waived(lang).values())
    no(f"{lang} {message}: {term} is not missing" for message, term in set(waived(lang)) - needed)


@pytest.mark.parametrize("concept", ORDINARY)
def test_every_exception_is_needed(concept: str) -> None:
    game = terms.load()[concept].game
    used = [
        message.name
        for sentences in SENTENCES.values()
        for message in sentences.values()
        if concept in terms.find(message.text, "en", game)
        and concept not in terms.find(without_ordinary_words(message.text, concept), "en", game)
    ]
    assert used, f"no sentence has one of {ORDINARY[concept]} any more"


@cache
def wrong_forms(lang: Language) -> list[str]:
    return [form for concept in terms.load().values() for form in concept.wording(lang).wrong]


@pytest.mark.parametrize("lang", terms.LANGUAGES)
def test_no_misprint_of_the_aids_is_repeated(lang: Language) -> None:
    speaks = Reader(lang)
    no(
        f"{form}: {said!r} ({message.name})"
        for sentences in SENTENCES.values()
        for message in sentences.values()
        if (said := speaks.say(message, dict.fromkeys(PLACEHOLDER.findall(message.text), SAMPLE)))
        for form in wrong_forms(lang)
        if terms.contains(said, form)
    )


# -- nothing is left in English ----------------------------------------------------------------------


@cache
def kept_names(lang: Language) -> re.Pattern[str]:
    """Every accepted form of the language that has an English word in it: Passage of Time Box."""
    forms = {form for concept in terms.load().values() for form in concept.wording(lang).accepted}
    latin = sorted((form for form in forms if re.search("[A-Za-z]{2}", form)), key=len, reverse=True)
    return re.compile("|".join(map(re.escape, latin)))


# Labels of the page: words that a language writes as English does, and terms cut to what a phone has room for.
ALSO_SO_WRITTEN = {
    "fr": (
        "%(count)s minutes",
        "Code",
        "Menu",
        "Chance",
        "Chances",
        "Table",
        "Culture",
        "Ruleglot",
        "Morale",
        "Ferocity",
        "Caught",
        "Escape",
    ),
    "it": ("File", "Menu", "no", "Ruleglot", "Morale"),
    "ja": ("Ruleglot", "Morale", "Ferocity", "Caught", "Escape"),
}
CUT_TERMS = ("Subjugation of New Mexico",)


@pytest.mark.parametrize(("lang", "domain"), WRITTEN)
def test_no_sentence_is_left_in_english(lang: Language, domain: str) -> None:
    no(
        sentence
        for sentence in translated(lang, domain)
        if sentence.words == sentence.message.text
        and not (
            sentence.message.name.startswith(("page.", "place.", "value.", "wait."))
            and sentence.words in (*ALSO_SO_WRITTEN.get(lang, ()), *CUT_TERMS)
        )
        and not SAME_EVERYWHERE.fullmatch(kept_names(lang).sub(" ", PLACEHOLDER.sub(" ", sentence.words)))
    )


@pytest.mark.parametrize(("lang", "domain"), WRITTEN)
def test_no_english_word_is_left_in_a_sentence(lang: Language, domain: str) -> None:
    def own(sentence: Sentence) -> str:
        quoted = re.sub(r"[“«\"「][^”»\"」]*[”»\"」]", " ", PLACEHOLDER.sub(" ", sentence.words))
        return kept_names(lang).sub(" ", quoted)

    no(
        f"{found[0]!r} in {sentence}"
        for sentence in translated(lang, domain)
        if (found := ENGLISH.search(own(sentence)))
    )


# -- the style of each language ----------------------------------------------------------------------


def of(lang: Language) -> Iterator[Sentence]:
    for domain, sentences in SENTENCES.items():
        if sentences:
            yield from translated(lang, domain)


def test_french_has_a_no_break_space_before_high_signs() -> None:
    no(sentence for sentence in of("fr") if re.search(r"[^\u00a0][:;!?]", QUOTED.sub("…", sentence.words)))


def test_french_rolls_are_lancers_and_not_lances() -> None:
    no(sentence for sentence in of("fr") if re.search(r"\blancés? de dés?\b", sentence.words, re.IGNORECASE))


def test_french_says_vous_in_the_imperative() -> None:
    no(sentence for sentence in of("fr") if re.search(r"\b(tu|ton|ta|tes|toi)\b", sentence.words))


def test_italian_writes_its_accents() -> None:
    no(
        sentence
        for sentence in of("it")
        if re.search(r"\bE['’](?=\s)|\b(perchè|poichè|finchè|Dinè)\b", sentence.words)
    )


def test_italian_has_no_space_before_signs() -> None:
    no(sentence for sentence in of("it") if re.search(r"[\s\u00a0][:;!?](?=\s|$)", sentence.words))


def test_japanese_is_plain_style() -> None:
    no(
        sentence
        for sentence in of("ja")
        if re.search(r"です|ます(?![ます])|ません|ください|あなた", sentence.words)
    )


def test_japanese_sentences_end_with_a_japanese_full_stop() -> None:
    no(
        sentence
        for sentence in of("ja")
        if sentence.message.text.endswith(".") and not sentence.words.endswith("。")
    )
    no(sentence for sentence in of("ja") if re.search(r"[ぁ-んァ-ヶ一-龠]\s*[.,]", sentence.words))


def test_japanese_digits_and_brackets_are_half_width() -> None:
    no(sentence for sentence in of("ja") if re.search(r"[０-９（）［］＋－＞＜Ａ-Ｚａ-ｚ]", sentence.words))


@pytest.mark.parametrize("lang", TRANSLATIONS)
def test_spaces_are_single(lang: Language) -> None:
    no(sentence for sentence in of(lang) if re.search(r"[ \u00a0]{2}|^\s|\s$|\n", sentence.words))


@pytest.mark.parametrize("lang", TRANSLATIONS)
def test_questions_stay_questions(lang: Language) -> None:
    mark = re.compile(r"か([。、：]|$)|？" if lang == "ja" else r"\?$")  # a title has no full stop
    no(
        sentence
        for sentence in of(lang)
        if sentence.message.text.endswith("?") and not mark.search(sentence.words)
    )
