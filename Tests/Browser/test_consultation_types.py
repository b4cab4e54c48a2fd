"""Consultation types in the page: the address and the picker open them, and the built-in guide's answers stream."""

import json
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Page, expect

from support.chat import Chat
from support.server import Server
from test_consultation import send_and_wait

TYPES = {
    "types": [
        {
            "name": "markets", "title": "Markets", "system_prompt": "Markets.", "greeting": "About markets.",
            "questions": ["Price of {symbol}"], "templates": ["order_proposal"], "context": ["markets", "positions"],
        },
        {
            "name": "nutrition", "title": "Food", "system_prompt": "Food.", "greeting": "How do you eat?",
            "placeholder": "Ask about food", "questions": ["Meal plan"], "templates": ["meal"],
            "safety_notes": ["No medical advice."],
        },
    ]
}  # fmt: skip


def configured(start_server: Callable[..., Server], tmp_path: Path) -> Server:
    file = tmp_path / "types.json"
    file.write_text(json.dumps(TYPES))
    return start_server(feed="sim:BTC-USD", flags=("--seed", "7", "--consultation-types", str(file)))


def test_the_address_and_the_picker_open_a_type_with_its_own_words_and_conversations(
    page: Page, start_server: Callable[..., Server], tmp_path: Path
) -> None:
    server = configured(start_server, tmp_path)
    page.goto(f"{server.address}/?consultation=nutrition#BTC-USD/1m")
    chat = Chat(page)
    chat.wait_until_connected()
    expect(chat.panel.get_by_text("How do you eat?")).to_be_visible()
    expect(chat.panel.get_by_text("No medical advice.")).to_be_visible()
    expect(chat.field).to_have_attribute("placeholder", "Ask about food")
    picker = page.get_by_label("Consultation type")
    expect(picker).to_have_value("nutrition")
    expect(picker.locator("option")).to_have_text(["Markets", "Food"])
    chat.button("Meal plan").click()
    expect(chat.card("meal")).to_be_visible()
    # By the page's own requests: conversations belong to its browser.
    sent = page.request.get(f"{server.address}/consultations?type=nutrition").json()["consultations"]
    assert len(sent) == 1
    # What is on the screen is not sent to a type that may not know it.
    messages = page.request.get(f"{server.address}/consultations/{sent[0]['id']}/messages").json()["messages"]
    assert "context" not in messages[0].get("metadata", {})
    send_and_wait(chat, "buy 0.1 BTC-USD")
    expect(chat.messages("assistant").last).to_contain_text("I have no orders in it")
    expect(chat.card("order_proposal")).to_have_count(0)
    picker.select_option("markets")
    expect(chat.panel.get_by_text("About markets.")).to_be_visible()
    chat.wait_until_connected()
    expect(chat.card("meal")).to_have_count(0)
    assert page.evaluate("location.search + location.hash") == "#BTC-USD/1m"
    send_and_wait(chat, "meal plan")
    expect(chat.messages("assistant").last).to_contain_text("I have no meal plans in it")
    picker.select_option("nutrition")
    expect(chat.card("meal")).to_be_visible()
    assert page.evaluate("location.search") == "?consultation=nutrition"
    page.reload()
    chat.wait_until_connected()
    expect(chat.card("meal")).to_be_visible()
    assert page.complaints == []  # type: ignore[attr-defined]


def test_an_unknown_type_is_reported_with_those_that_there_are(
    page: Page, start_server: Callable[..., Server], tmp_path: Path
) -> None:
    server = configured(start_server, tmp_path)
    page.goto(f"{server.address}/?consultation=cooking#BTC-USD/1m")
    chat = Chat(page)
    expect(chat.panel.get_by_role("alert")).to_have_text(
        "There is no consultation type “cooking” here. There are: markets (Markets), nutrition (Food)."
    )
    assert server.get("/consultations")["consultations"] == []
    chat.button("Open Markets").click()
    chat.wait_until_connected()
    expect(chat.panel.get_by_text("About markets.")).to_be_visible()
    assert page.evaluate("location.search") == ""
    assert page.complaints == []  # type: ignore[attr-defined]


def test_an_answer_of_the_guide_appears_word_by_word(page: Page, start_server: Callable[..., Server]) -> None:
    server = start_server(feed="sim:BTC-USD", flags=("--seed", "7"))
    page.goto(f"{server.address}/#BTC-USD/1m")
    chat = Chat(page).open()
    # Without a configuration there is one type to choose.
    expect(page.get_by_label("Consultation type")).to_be_hidden()
    page.evaluate("""() => {
        window.lengths = new Set();
        new MutationObserver(() => {
            const text = document.querySelector(".message[data-role='assistant'] .bubble-text")?.textContent ?? "";
            window.lengths.add(text.length);
        }).observe(document.getElementById("chat-messages"), { childList: true, subtree: true, characterData: true });
        window.began = performance.now();
    }""")
    send_and_wait(chat, "what can you do?")
    seen = page.evaluate("[...window.lengths].filter(length => length > 0).length")
    elapsed = page.evaluate("performance.now() - window.began")
    assert seen >= 8, f"{seen} states of the text were shown"
    assert elapsed >= 1_000, "sixty words, with a pause behind each"
