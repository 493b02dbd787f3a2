"""Nobody comes through the guard but the page itself, with the key."""

from __future__ import annotations

import re
from typing import Any

import pytest
from starlette.routing import Route

from linkrisk.web.application import STATIC, routes
from linkrisk.web.pages import templates
from linkrisk.web.security.headers import DOCUMENT_POLICY, POLICY
from tests.web.visitor import ADDRESS, Visitor


def test_the_token_opens_once(stranger: Visitor) -> None:
    """It is exchanged for a cookie, and is in no address from then on; a second use is refused."""
    token = stranger.site.keys.token()
    answer = stranger.get(f"/enter?token={token}")
    assert (answer.status_code, answer.headers["location"]) == (303, f"{ADDRESS.folder}/")
    assert answer.headers["referrer-policy"] == "no-referrer"
    cookie = answer.headers["set-cookie"]
    for part in ("HttpOnly", "SameSite=strict", f"Path={ADDRESS.folder}/"):
        assert part in cookie
    assert "Expires" not in cookie
    assert "Max-Age" not in cookie
    assert stranger.get(f"/enter?token={token}").status_code == 403
    assert stranger.get("/enter?token=").status_code == 403
    assert stranger.get("/enter").status_code == 403


def test_a_new_token_does_not_replace_one_that_was_not_used(stranger: Visitor) -> None:
    """Who asks again and again without the key cannot make the address on the terminal useless."""
    keys = stranger.site.keys
    assert keys.token() == keys.token()
    first = keys.token()
    assert keys.redeem(first)
    assert keys.token() != first


def _paths(visitor: Visitor) -> list[tuple[str, str]]:
    found = []
    for route in routes(visitor.site):
        if isinstance(route, Route):
            path = re.sub(r"\{(\w+):int\}", "1", route.path)
            found += [(method, re.sub(r"\{\w+\}", "x", path)) for method in route.methods or ()]
    return found


def test_no_view_without_the_key(stranger: Visitor) -> None:
    """Every address there is, but the entrance; and with a wrong key as without."""
    asked = [(method, path) for method, path in _paths(stranger) if path != "/enter"]
    assert len(asked) > 15
    for key in ("", "wrong", "ü"):
        for method, path in asked:
            headers = {"sec-fetch-site": "same-origin", "cookie": f"linkrisk-8000={key}".encode()}
            answer = stranger.client.request(method, f"{ADDRESS.folder}{path}", headers=headers)
            assert answer.status_code == 403, (method, path)
            assert "no key" in answer.text or method == "HEAD"
    assert stranger.strangers


def test_what_needs_no_key(stranger: Visitor) -> None:
    """Style and script are those of the package: nothing of anybody is in them."""
    for file in STATIC.iterdir():
        assert stranger.get(f"/static/{file.name}").status_code == 200


@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        "evil.example:8000",
        "localhost:8000",
        "127.0.0.1",
        "127.0.0.1:8001",
        "127.0.0.1.evil.example:8000",
        "",
    ],
)
def test_a_foreign_host_is_refused(visitor: Visitor, host: str) -> None:
    """An address of somebody else that leads to this machine (DNS rebinding) brings nothing, even with the key."""
    for path in ("/", "/static/page.css"):
        answer = visitor.get(path, host=host)
        assert answer.status_code == 403
        assert ADDRESS.origin in answer.text


@pytest.mark.parametrize(
    ("headers", "comes_through"),
    [
        ({"sec-fetch-site": "same-origin"}, True),
        ({"sec-fetch-site": "same-origin", "origin": "null"}, True),
        ({"sec-fetch-site": "same-origin", "origin": ADDRESS.origin}, True),
        ({"origin": ADDRESS.origin}, True),
        ({}, False),
        ({"origin": "null"}, False),
        ({"origin": "http://evil.example"}, False),
        ({"origin": "http://127.0.0.1:8001"}, False),
        ({"origin": "https://127.0.0.1:8000"}, False),
        ({"origin": "http://evil.example", "sec-fetch-site": "same-origin"}, False),
        ({"origin": ADDRESS.origin, "sec-fetch-site": "cross-site"}, False),
        ({"sec-fetch-site": "same-site"}, False),
        ({"sec-fetch-site": "cross-site"}, False),
        ({"sec-fetch-site": "none"}, False),
    ],
)
def test_changes_come_from_the_page(visitor: Visitor, headers: dict[str, str], comes_through: bool) -> None:
    """What changes something must say where it comes from, and that must be the page; the key alone is not enough."""
    answer = visitor.client.request("POST", f"{ADDRESS.folder}/demo", headers=headers)
    assert (answer.status_code == 303) == comes_through
    assert bool(visitor.site.cases) == comes_through


@pytest.mark.parametrize(
    ("site", "status"), [("none", 200), ("same-origin", 200), ("same-site", 403), ("cross-site", 403)]
)
def test_other_pages_cannot_ask_for_views(visitor: Visitor, site: str, status: int) -> None:
    """Another page, also one of another port of this machine, gets nothing, not even a style to measure."""
    assert visitor.get("/", sec_fetch_site=site).status_code == status
    assert visitor.get("/static/page.css", sec_fetch_site=site).status_code == status


def test_the_entrance_may_be_linked(stranger: Visitor) -> None:
    """The start address works where it is clicked in a message."""
    assert stranger.get(f"/enter?token={stranger.site.keys.token()}", sec_fetch_site="cross-site").status_code == 303


@pytest.mark.parametrize("method", ["PUT", "DELETE", "PATCH", "OPTIONS", "TRACE"])
def test_other_methods_are_refused(visitor: Visitor, method: str) -> None:
    """A page is read and sent; nothing else is ever needed."""
    answer = visitor.client.request(method, f"{ADDRESS.folder}/", headers={"sec-fetch-site": "same-origin"})
    assert answer.status_code == 405


@pytest.mark.parametrize(
    "path",
    [
        "/static/../application.py",
        "/static/%2e%2e/application.py",
        "/static/..%2fapplication.py",
        "/static/%2e%2e%2f%2e%2e%2fversion.py",
        "/static//etc/passwd",
        "/static/",
        "/static",
        "/../../etc/passwd",
        "/case/1/release/1/file/..%2f..%2foriginal.csv",
        "/case/../../etc/passwd",
    ],
)
def test_no_path_leads_out(visitor: Visitor, path: str) -> None:
    """Neither to other files of the package, nor to those of the machine; no folder is listed."""
    answer = visitor.client.request("GET", f"{ADDRESS.origin}{ADDRESS.folder}{path}")
    assert answer.status_code in {404, 307}
    assert "import" not in answer.text
    assert "root:" not in answer.text


def test_outside_the_folder_there_is_nothing(visitor: Visitor) -> None:
    """Other servers of this machine get the cookies of 127.0.0.1, but only those below its own folder are ours."""
    for path in ("/", "/folder", "/other/", "/favicon.ico"):
        assert visitor.client.request("GET", path).status_code == 404


def test_every_answer_has_the_headers(visitor: Visitor, stranger: Visitor) -> None:
    """Views, refusals, mistakes, redirects and files alike."""
    answers = [
        visitor.get("/"),
        visitor.get("/case/9"),
        visitor.get("/nowhere"),
        visitor.get("/static/page.js"),
        visitor.post("/demo"),
        visitor.get("/", host="evil.example"),
        stranger.get("/"),
    ]
    assert {answer.status_code for answer in answers} == {200, 303, 403, 404}
    for answer in answers:
        assert answer.headers["content-security-policy"] == POLICY
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["cache-control"] == "no-store"
        assert answer.headers["referrer-policy"] == "no-referrer"
        assert answer.headers["x-frame-options"] == "DENY"
        assert "server" not in answer.headers


def test_the_policies_allow_nothing_unsafe() -> None:
    """No script but ours, nothing from elsewhere; a report runs nothing at all."""
    assert "unsafe" not in POLICY
    assert POLICY.startswith("default-src 'none'")
    assert "frame-ancestors 'none'" in POLICY
    assert "script" not in DOCUMENT_POLICY
    assert DOCUMENT_POLICY.startswith("sandbox; default-src 'none'")
    for policy in (POLICY, DOCUMENT_POLICY):
        assert "http" not in policy
        assert "*" not in policy


def test_templates_need_nothing_unsafe() -> None:
    """No script, style or handler stands in a template, and no text in it is taken as it is."""
    loader = templates().loader
    assert loader is not None
    names = loader.list_templates()
    assert len(names) > 8
    for name in names:
        text = loader.get_source(templates(), name)[0]
        assert not re.search(
            r"<style|\sstyle=|\son\w+=|javascript:|<script(?! src=\"\{\{ base \}\}/static/page.js\" defer>)", text
        )
        assert not re.search(r"\|\s*safe|autoescape|Markup", text)
        assert not re.search(r"(src|href|action)=\"(?!\{\{ base \}\}|#)", text), name


def test_scripts_write_texts_not_html() -> None:
    """What the script shows is text; it makes nothing of it, and asks for nothing but the page."""
    script = (STATIC / "page.js").read_text(encoding="utf-8")
    assert not re.search(
        r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(|Function\(|https?://(?!www\.w3)", script
    )


def test_a_fault_of_ours_is_one_sentence(visitor: Visitor, monkeypatch: pytest.MonkeyPatch) -> None:
    """The browser sees that something went wrong; the terminal where, and neither a message nor a cell."""

    def faulty(*_: Any, **__: Any) -> None:
        raise ValueError("the salary of 4711 Euro")

    monkeypatch.setattr("linkrisk.web.views.start.page", faulty)
    answer = visitor.get("/")
    assert answer.status_code == 500
    assert "Something inside linkrisk went wrong" in answer.text
    assert "4711" not in answer.text
    assert len(visitor.faults) == 1
    assert visitor.faults[0].startswith("ValueError in web/views/start.py, line ")
