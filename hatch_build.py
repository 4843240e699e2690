"""Compile the message catalogs, and put them into the wheel.

Without this a wheel has no `.mo` files, and every language silently falls back to English.
"""

import sys
from io import BytesIO
from pathlib import Path
from typing import Any

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from hatchling.builders.hooks.plugin.interface import BuildHookInterface


def compile_catalog(po: Path) -> Path:
    """Write the `.mo` beside a `.po`; a translation that would fail when it is shown stops the build."""
    with po.open("rb") as lines:
        catalog = read_po(lines, locale=po.parent.parent.name, abort_invalid=True)
    broken = [f"{po}:{message.lineno}: {error}" for message, errors in catalog.check() for error in errors]
    if broken:
        raise ValueError("\n".join(broken))
    compiled = BytesIO()
    write_mo(compiled, catalog)
    mo = po.with_suffix(".mo")
    mo.write_bytes(compiled.getvalue())
    return mo


class CatalogsHook(BuildHookInterface):
    """Adds what lies outside the packages in a checkout, but belongs to the service.

    These are the catalogs, the OpenAPI document and the worked examples that it and …/actions show.
    """

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        root = Path(self.root)
        catalogs = [compile_catalog(po) for po in sorted(root.glob("locales/*/LC_MESSAGES/*.po"))]
        if version == "editable":  # the service reads them in the checkout
            return
        if not catalogs:
            raise FileNotFoundError("no catalogs under locales/: the wheel would speak English only")
        shipped = [*catalogs, *sorted(root.glob("locales/*.toml")), *sorted(root.glob("locales/*/*.toml"))]
        inside = {str(file): f"service/{file.relative_to(root).as_posix()}" for file in shipped}
        for name in ("openapi.yaml", "answers.json"):
            inside[str(root / "openapi" / name)] = f"service/{name}"
        for example in sorted(root.glob("tests/examples/*/*.toml")):
            inside[str(example)] = f"service/examples/{example.parent.name}/{example.name}"
        build_data["force_include"].update(inside)


if __name__ == "__main__":
    for name in sys.argv[1:]:
        compile_catalog(Path(name))
