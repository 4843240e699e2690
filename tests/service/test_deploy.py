"""What we ship for running a server names only settings that exist, and everything it is made of is pinned and listed."""

from __future__ import annotations

import importlib.util
import re
import shutil
import subprocess
import tomllib
from types import ModuleType
from typing import Any

import pytest
import yaml

from service import config
from tests.service.server import ROOT

DEPLOY = ROOT / "deploy"


@pytest.fixture(scope="module")
def supply() -> ModuleType:
    spec = importlib.util.spec_from_file_location("supply", DEPLOY / "supply.py")
    assert spec is not None
    assert spec.loader is not None
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    return made


def lock(name: str = "requirements.lock") -> str:
    return (ROOT / name).read_text()


# -- what it is made of --------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [f"requirements{one}.lock" for one in ("", "-dev", "-build", "-audit")])
def test_every_line_of_every_lock_file_is_read_and_has_hashes(supply: ModuleType, name: str) -> None:
    parts = supply.pinned(lock(name))
    assert len(parts) == sum("==" in line and line[0].isalnum() for line in lock(name).splitlines())
    assert all(part.hashes for part in parts)


def test_the_bill_of_materials_has_them_all_and_is_the_same_each_time(supply: ModuleType) -> None:
    parts = supply.pinned(lock())
    bill = supply.sbom(parts)
    assert bill == supply.sbom(parts)
    assert bill["metadata"]["component"]["version"] == config.version()
    flask = next(one for one in bill["components"] if one["name"] == "flask")
    assert flask["purl"] == f"pkg:pypi/flask@{flask['version']}"
    assert flask["licenses"] == [{"license": {"name": "BSD-3-Clause"}}]
    pinned_hash = flask["externalReferences"][0]["hashes"][0]["content"]
    assert f"--hash=sha256:{pinned_hash}" in lock()


def test_no_licence_forbids_passing_it_on(supply: ModuleType) -> None:
    for part in supply.pinned(lock()):
        stated = supply.licence(part.name)
        assert supply.ALLOWED.search(stated) if stated else part.only_where, part.name
    assert not supply.ALLOWED.search("GPL-3.0-only"), "the test would notice"
    assert not supply.ALLOWED.search("Proprietary")


def test_what_builds_the_wheel_is_pinned_too(supply: ModuleType) -> None:
    wanted = tomllib.loads((ROOT / "pyproject.toml").read_text())["build-system"]["requires"]
    built = {part.name: part.version for part in supply.pinned(lock("requirements-build.lock"))}
    assert {re.split("[>=]", one)[0] for one in wanted} | {"pip", "uv", "build"} <= set(built)
    checked = {part.name: part.version for part in supply.pinned(lock("requirements-dev.lock"))}
    assert all(checked.get(name, version) == version for name, version in built.items()), (
        "one version of each"
    )


# -- settings ------------------------------------------------------------------------------------------


def told(variables: dict[str, str]) -> None:
    """All of them are settings, with values that they may have."""
    known = {one.variable for one in config.SETTINGS} | {"PYTHONDONTWRITEBYTECODE"}
    assert set(variables) <= known, set(variables) - known
    config.read({name: value for name, value in variables.items() if name != "RULEGLOT_COMPONENTS"})


def test_compose() -> None:
    services: dict[str, Any] = yaml.safe_load((DEPLOY / "compose.yaml").read_text())["services"]
    assert set(services) == {"ruleglot-1", "ruleglot-2", "nginx", "postgresql", "redis"}
    for name in ("ruleglot-1", "ruleglot-2"):
        told(services[name]["environment"])
        assert services[name]["read_only"]
        assert services[name]["cap_drop"] == ["ALL"]
    assert "/etc/ssl/ruleglot/ruleglot.pem" in (DEPLOY / "nginx.conf").read_text()
    assert "./tls:/etc/ssl/ruleglot:ro" in services["nginx"]["volumes"]


def test_kubernetes() -> None:
    manifests = list(yaml.safe_load_all((DEPLOY / "kubernetes" / "ruleglot.yaml").read_text()))
    kinds = ["Deployment", "PodDisruptionBudget", "Service", "Service", "Ingress"]
    assert [one["kind"] for one in manifests] == kinds
    pod = manifests[0]["spec"]["template"]["spec"]
    (container,) = pod["containers"]
    told({one["name"]: one.get("value", "") for one in container["env"]})
    assert pod["securityContext"]["runAsNonRoot"]
    assert container["securityContext"]["readOnlyRootFilesystem"]
    assert container["readinessProbe"]["httpGet"]["path"] == "/readyz"
    labels = manifests[0]["spec"]["template"]["metadata"]["labels"]
    assert manifests[0]["spec"]["selector"]["matchLabels"] == labels == manifests[2]["spec"]["selector"]
    (rule,) = manifests[4]["spec"]["rules"]
    leads = {one["path"]: one["backend"]["service"]["name"] for one in rule["http"]["paths"]}
    nowhere = manifests[3]["metadata"]["name"]
    assert leads == {"/metrics": nowhere, "/readyz": nowhere, "/": manifests[2]["metadata"]["name"]}
    assert manifests[3]["spec"]["selector"] != labels, "numbers are for who watches, not for everybody"


def test_dockerfile_and_unit() -> None:
    dockerfile = (DEPLOY / "Dockerfile").read_text()
    (said,) = re.findall(r"^ENV (.*)$", dockerfile, re.MULTILINE)
    told(dict(one.split("=", 1) for one in said.split()))
    assert re.search(r"^USER 10001$", dockerfile, re.MULTILINE)
    assert "HEALTHCHECK" in dockerfile
    copied = re.findall(r"^COPY (requirements\S*) ", dockerfile, re.MULTILINE)
    assert all((ROOT / one).is_file() for one in copied)
    unit = (DEPLOY / "ruleglot.service").read_text()
    (said,) = re.findall(r"^Environment=(.*)$", unit, re.MULTILINE)
    told(dict(one.split("=", 1) for one in said.split()))


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="no systemd here")
def test_systemd_takes_the_unit() -> None:
    done = subprocess.run(
        ["systemd-analyze", "verify", str(DEPLOY / "ruleglot.service")],
        capture_output=True,
        text=True,
        check=False,
    )
    said = [line for line in done.stderr.splitlines() if "ruleglot.service" in line]
    assert all("is not executable" in line for line in said), "nothing but that it is not installed here"
