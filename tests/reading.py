"""Sentences drawn by a seed, to be read afresh by somebody who wrote none of them.

    python -m tests.reading fr        # a hundred of them, each with the English one below it
    python -m tests.reading ja 40 11  # forty, drawn by another seed

Half are headlines as players got them; the others are what stands below a headline, each message once.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from random import Random

from service.headlines import headline
from service.languages import Reader, reader
from service.terms import LANGUAGES, Language
from tests.service.test_story import answers, said_in

SEED = 7
OFTEN = 100


def headlines(speaks: Reader, english: Reader) -> Iterator[tuple[str, str]]:
    """Every headline over every example, in both languages."""
    for one in answers():
        first, second = (str(headline(one.game, one.do, one.answer, who)) for who in (speaks, english))
        yield first, second


def below(speaks: Reader, english: Reader) -> Iterator[tuple[str, str]]:
    """Every message that an example says, once, with the values it had there."""
    seen = set()
    for one in answers():
        for said, params in said_in(one):
            if said.name not in seen:
                seen.add(said.name)
                yield speaks.tell(said, params), english.tell(said, params)


def drawn(lang: Language, often: int, seed: int) -> list[tuple[str, str]]:
    """So many sentences of a language, each with the English one, the same for the same seed."""
    luck, speaks, english = Random(seed), reader(lang), reader("en")
    tops = sorted(set(headlines(speaks, english)))
    rest = sorted(set(below(speaks, english)))
    return luck.sample(tops, often // 2) + luck.sample(rest, often - often // 2)


def main(lang: str, often: str = str(OFTEN), seed: str = str(SEED)) -> None:
    """Print them, numbered."""
    if lang not in LANGUAGES:
        sys.exit(f"One of {', '.join(LANGUAGES)}, not {lang}.")
    for number, (said, english) in enumerate(drawn(lang, int(often), int(seed)), start=1):
        print(f"{number:3} {said}")
        if said != english:
            print(f"    {english}")


if __name__ == "__main__":
    main(*sys.argv[1:])
