"""The networks of homes are tested in a world of their own, or it is said why there is none."""

from __future__ import annotations

import shutil
import subprocess
import sys

import pytest

from workshop import namespaces
from workshop.console import StepFailed


def answering(monkeypatch: pytest.MonkeyPatch, code: int) -> list[list[str]]:
    """Every program ends with ``code``; the commands so far."""
    asked: list[list[str]] = []

    def run(command: list[str], **_: object) -> subprocess.CompletedProcess[str]:
        asked.append(command)
        return subprocess.CompletedProcess(command, code, "", "Operation not permitted")

    monkeypatch.setattr(subprocess, "run", run)
    monkeypatch.setattr(shutil, "which", lambda program: f"/bin/{program}")
    monkeypatch.setattr(sys, "platform", "linux")
    return asked


def test_the_command_that_is_tried_is_the_one_that_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = answering(monkeypatch, 0)
    words = namespaces.world()
    assert words == asked[0][:len(words)]
    assert words[0] == "unshare"


def test_a_kernel_without_namespaces_fails_the_stage_with_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    answering(monkeypatch, 1)
    with pytest.raises(StepFailed, match="gives us no network namespaces") as failure:
        namespaces.world()
    assert failure.value.detail == "Operation not permitted"


def test_another_system_and_missing_programs_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    answering(monkeypatch, 0)
    monkeypatch.setattr(shutil, "which", lambda program: None)
    monkeypatch.setattr(namespaces, "installed", lambda *packages: False)
    with pytest.raises(StepFailed, match="need coturn, ethtool, iproute2, nftables, util-linux"):
        namespaces.world()
    monkeypatch.setattr(sys, "platform", "darwin")
    with pytest.raises(StepFailed, match="which only Linux has"):
        namespaces.world()
