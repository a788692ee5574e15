"""What the page's policy allows, where it stands, and that a server sends the same."""

from __future__ import annotations

import base64
import hashlib
import re

import pytest

from workshop import policy, site
from workshop.paths import ROOT

PAGE = ('<head><!-- build:policy -->\n<script>let a = "<b>"</script><script src="x.js"></script>'
        '<script type="py">start()</script></head>')


def rules(of: str) -> dict[str, list[str]]:
    return {name: allowed for name, *allowed in (rule.split() for rule in of.split("; "))}


def test_nothing_is_allowed_that_is_not_named() -> None:
    found = rules(policy.policy(PAGE))
    assert found["default-src"] == found["object-src"] == found["base-uri"] == found["form-action"] == ["'none'"]
    assert found["connect-src"] == ["'self'", "blob:"]
    for name, allowed in found.items():
        assert "*" not in allowed and not any("http" in one or one in ("ws:", "wss:") for one in allowed), name
        assert "'unsafe-inline'" not in allowed or name == "style-src-attr"


def test_a_script_within_the_page_is_allowed_by_its_hash_alone() -> None:
    mark = base64.b64encode(hashlib.sha256(b'let a = "<b>"').digest()).decode()
    hashes = [one for one in rules(policy.policy(PAGE))["script-src"] if one.startswith("'sha256-")]
    assert hashes == [f"'sha256-{mark}'"]
    assert policy.policy(PAGE.replace("let a", "let b")) != policy.policy(PAGE)


def test_the_policy_stands_before_all_that_it_rules() -> None:
    template = (ROOT / "index.html").read_text("utf-8")
    before = template.partition("<!-- build:policy -->")[0]
    assert not re.search("<(script|link|style|img)", before)
    stated = site.fill(PAGE, "policy", policy.meta(PAGE))
    assert stated.index("http-equiv") < stated.index("<script")


def test_the_header_is_the_policy_of_the_page_and_what_only_a_header_can_say() -> None:
    stated = site.fill(PAGE, "policy", policy.meta(PAGE))
    assert policy.header(stated) == f"{policy.policy(PAGE)}; frame-ancestors 'none'"
    assert policy.header(PAGE) is None


@pytest.mark.parametrize("script", ["<script >alert(1)</script>", '<script type="module">alert(1)</script>'])
def test_other_scripts_within_the_page_get_no_hash(script: str) -> None:
    assert "sha256" not in policy.policy(script)
