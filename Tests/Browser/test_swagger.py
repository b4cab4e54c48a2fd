"""/swagger/index.html shows the description of the interface."""

from playwright.sync_api import Page, expect
from support.server import Server


def test_the_description_is_shown(page: Page, simulated: Server) -> None:
    page.goto(f"{simulated.address}/swagger/index.html")
    expect(page.get_by_role("heading", name="POST /consultations", exact=True)).to_be_visible()
    for method, path in (("DELETE", "/consultations/{id}"), ("GET", "/health")):
        expect(page.get_by_role("heading", name=f"{method} {path}", exact=True)).to_be_visible()
    expect(page.get_by_role("heading", name="Consultation", exact=True)).to_be_visible()
    assert page.complaints == []  # type: ignore[attr-defined]
