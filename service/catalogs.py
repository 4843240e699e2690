"""Bring the catalogs up to date with the sentences in the code: `make messages`.

Every message is registered when the engine and the service are imported, so the registry, and not a
search through the source text, is the list of sentences. A sentence whose English text has changed keeps
its old translation, marked fuzzy, until a translator has looked at it; the tests refuse fuzzy entries.
"""

from __future__ import annotations

import io
import sys
from pathlib import Path
from typing import Any

from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po, write_po

import ruleglot.words  # noqa: F401  and so do the words of the command line
import service.app  # noqa: F401  importing everything registers every message
from engine.messages import REGISTRY, RULE_TEXTS
from service.terms import LANGUAGES, locales

HEADER = (
    "# %(language)s translations of Ruleglot.\n# The context (msgctxt) is the message's name in the code."
)


# Sentences of verdicts and problems, and the texts of the rules: two catalogs for each language.
DOMAINS = {"messages": REGISTRY, "rules": RULE_TEXTS}


def path(lang: str, domain: str = "messages") -> Path:
    """Where a language's catalog is kept."""
    return locales() / lang / "LC_MESSAGES" / f"{domain}.po"


def updated(lang: str, domain: str = "messages") -> Catalog:
    """A language's catalog with exactly the sentences of the code."""
    kept = path(lang, domain)
    old = read_po(io.BytesIO(kept.read_bytes()), locale=lang) if kept.exists() else Catalog(locale=lang)
    known = {entry.context: entry for entry in old if entry.id}
    new = Catalog(
        locale=lang, project="ruleglot", version="1", fuzzy=False, header_comment=HEADER % {"language": lang}
    )
    new.mime_headers = [
        (name, value)
        for name, value in new.mime_headers
        if name in ("Language", "Plural-Forms", "MIME-Version", "Content-Type", "Content-Transfer-Encoding")
    ]
    for name, message in DOMAINS[domain].items():
        before = known.get(name)
        entry = new.add(message.text if message.one is None else (message.one[1], message.text), context=name)
        if before is not None:
            entry.string = in_form(before.string, entry, new.num_plurals)
            if before.id != entry.id:
                entry.flags.add("fuzzy")
            if "fuzzy" in before.flags:
                entry.flags.add("fuzzy")
            entry.user_comments = before.user_comments
    return new


def in_form(kept: Any, entry: Any, forms: int) -> Any:
    """What was translated before, as often as the sentence has forms now."""
    if entry.pluralizable:
        return kept if isinstance(kept, tuple) else (kept,) * forms
    return kept[-1] if isinstance(kept, tuple) else kept


def written(catalog: Catalog) -> bytes:
    """A catalog as a .po file; long sentences stay on one line, so that a change is one line."""
    buffer = io.BytesIO()
    write_po(buffer, catalog, width=0, omit_header=False, no_location=True)
    return buffer.getvalue()


def main() -> None:
    """Update the catalogs, or only those of the languages named, and say what is left to translate."""
    for lang in sys.argv[1:] or LANGUAGES[1:]:  # English is the language of the code
        for domain, sentences in DOMAINS.items():
            catalog = updated(lang, domain)
            path(lang, domain).parent.mkdir(parents=True, exist_ok=True)
            path(lang, domain).write_bytes(written(catalog))
            missing = sum(not entry.string for entry in catalog if entry.id)
            fuzzy = sum("fuzzy" in entry.flags for entry in catalog if entry.id)
            print(f"{lang} {domain}: {len(sentences)}, {missing} to translate, {fuzzy} to look at again")  # noqa: T201


if __name__ == "__main__":
    main()
