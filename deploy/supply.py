"""What a server is made of, from requirements.lock: `sbom` writes it down as CycloneDX, `licences` lists the licences.

Versions and hashes are those of the lock file; licences are what the installed packages say of themselves.
"""

from __future__ import annotations

import json
import re
import sys
import tomllib
from importlib import metadata
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).parents[1]
_PINNED = re.compile(r"^([A-Za-z0-9._-]+)==([^ ;\\]+)(?: ?; ?([^\\]+?))? ?\\?$")
_HASH = re.compile(r"--hash=sha256:([0-9a-f]{64})")
# What may be passed on together with an MIT licensed program without further duties for it.
ALLOWED = re.compile(
    r"MIT|BSD|Apache|ISC|PSF|Python|MPL|Mozilla|Zlib|Zope|Unlicense|0BSD|LGPL|Lesser", re.IGNORECASE
)


class Part(NamedTuple):
    """A package as the lock file pins it."""

    name: str
    version: str
    only_where: str
    hashes: tuple[str, ...]


def pinned(text: str) -> list[Part]:
    """Every package of a lock file."""
    found: list[Part] = []
    for line in text.splitlines():
        if (match := _PINNED.match(line)) is not None:
            found.append(Part(match[1], match[2], (match[3] or "").strip(), ()))
        elif (known := _HASH.search(line)) is not None:
            found[-1] = found[-1]._replace(hashes=(*found[-1].hashes, known[1]))
    return found


def licence(name: str) -> str:
    """What a package says its licence is; nothing where it is not installed here."""
    try:
        told = metadata.metadata(name)
    except metadata.PackageNotFoundError:
        return ""
    stated = told.get("License-Expression") or ""
    named = [
        one.rpartition(" :: ")[2] for one in told.get_all("Classifier", []) if one.startswith("License :: ")
    ]
    return stated or ", ".join(named) or (told.get("License") or "").partition("\n")[0][:60]


def sbom(parts: list[Part]) -> dict[str, Any]:
    """The bill of materials, the same for the same lock file."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": {
            "component": {
                "type": "application",
                "name": project["name"],
                "version": project["version"],
                "licenses": [{"license": {"id": project["license"]}}],
            }
        },
        "components": [_component(part) for part in parts],
    }


def _component(part: Part) -> dict[str, Any]:
    purl = f"pkg:pypi/{part.name.lower()}@{part.version}"
    files = [
        {"type": "distribution", "url": purl, "hashes": [{"alg": "SHA-256", "content": one}]}
        for one in part.hashes
    ]
    found: dict[str, Any] = {
        "type": "library",
        "name": part.name,
        "version": part.version,
        "purl": purl,
        "bom-ref": purl,
        "externalReferences": files,
    }
    if stated := licence(part.name):
        found["licenses"] = [{"license": {"name": stated}}]
    if part.only_where:
        found["properties"] = [{"name": "only-where", "value": part.only_where}]
    return found


def main() -> None:
    """One of the two."""
    parts = pinned((ROOT / "requirements.lock").read_text(encoding="utf-8"))
    if sys.argv[1:] == ["sbom"]:
        out = ROOT / "build" / "sbom.cdx.json"
        out.parent.mkdir(exist_ok=True)
        out.write_text(json.dumps(sbom(parts), indent=1) + "\n", encoding="utf-8")
        sys.stdout.write(f"{len(parts)} packages: {out}\n")
        return
    wrong = 0
    for part in parts:
        stated = licence(part.name)
        fine = ALLOWED.search(stated) is not None if stated else bool(part.only_where)
        wrong += not fine
        sys.stdout.write(
            f"{'  ' if fine else '✗ '}{part.name:24} {part.version:12} {stated or 'not installed here: ' + part.only_where}\n"
        )
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
