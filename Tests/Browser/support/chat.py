"""The assistant's panel as the tests see it."""

from playwright.sync_api import Locator, Page, expect


class Chat:
    def __init__(self, page: Page) -> None:
        self.page = page
        self.panel = page.locator("#chat")
        self.toggle = page.locator("#chat-toggle")
        self.field = page.locator("#chat-field")

    def open(self) -> "Chat":
        self.toggle.click()
        self.wait_until_connected()
        return self

    def wait_until_connected(self) -> None:
        expect(self.panel.get_by_text("Connected", exact=True)).to_be_visible()
        expect(self.field).to_be_enabled()

    def send(self, text: str) -> None:
        self.field.fill(text)
        self.field.press("Enter")

    def messages(self, role: str) -> Locator:
        return self.panel.locator(f".message[data-role='{role}']")

    def message(self, text: str) -> Locator:
        return self.panel.locator(".message").filter(has_text=text)

    def card(self, kind: str) -> Locator:
        return self.panel.locator(f".template-card[data-type='{kind}']")

    def button(self, name: str) -> Locator:
        return self.panel.get_by_role("button", name=name, exact=True)

    def bubble_text(self, role: str) -> list[str]:
        return self.messages(role).locator(".bubble-text").all_inner_texts()

    def distance_from_end(self) -> float:
        return self.page.evaluate(
            "() => { const { scrollHeight, scrollTop, clientHeight } = document.querySelector('#chat .chat-scroll');"
            " return scrollHeight - scrollTop - clientHeight; }"
        )
