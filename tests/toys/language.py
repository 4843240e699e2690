"""Writes the smallest language into a checkout: locales/eo, invented for a test, which is English with a mark before it."""

import json

from service import catalogs, terms
from service.terms import locales

MARK = "¤"

ESPERANTO = locales() / "eo"
FILES = {
    "language.toml": """\
comma = ", "
semicolon = "; "
space = " "
writes = "words"
stemmer = "esperanto"
cube_word = "first"
cube_letters = 2
""",
    "synonyms.toml": """\
stop = ["kiom", "kostas", "la"]
[same]
ambush = ["embusko", "insido"]
""",
    "asked.toml": '"nw:5.2.1" = ["kiom kostas insido"]\n',
    "terms.toml": "".join(
        f'["{concept.id}"]\nterm = {json.dumps(MARK + concept.term("en"))}\ntranslated = true\n'
        for concept in terms.load().values()
    ),
}


def marked(english: object) -> object:
    """A sentence in the toy language, as often as it has forms."""
    return tuple(MARK + form for form in english) if isinstance(english, tuple) else f"{MARK}{english}"


ESPERANTO.mkdir()
for name, content in FILES.items():
    (ESPERANTO / name).write_text(content, encoding="utf-8")
for domain in catalogs.DOMAINS:
    catalog = catalogs.updated("eo", domain)
    for entry in catalog:
        if entry.id:
            entry.string = marked(entry.id)
    catalogs.path("eo", domain).parent.mkdir(exist_ok=True)
    catalogs.path("eo", domain).write_bytes(catalogs.written(catalog))
