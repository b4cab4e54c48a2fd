"""The real page on a scripted stream, with every call into the engine counted."""

import json

from playwright.sync_api import Page

from support.server import Server

SYMBOL = "BTC-USD"
BEGIN = 1_732_060_800

# Replaces the stream's socket by one that a test feeds, and each function of the engine by one that counts its calls.
SET_UP = """({ symbol, begin, isCounting }) => {
    class ScriptedSocket {
        static all = [];
        readyState = 0;
        offset = 0;
        constructor(url) {
            this.url = url;
            ScriptedSocket.all.push(this);
            queueMicrotask(() => { this.readyState = 1; this.onopen?.({}); });
        }
        receive(text) { this.onmessage?.({ data: text }); }
        send(text) {
            const { action, id, symbol: name, timeframe, history = 0 } = JSON.parse(text);
            if (action === 'ping') queueMicrotask(() => this.receive(JSON.stringify({ type: 'pong', id })));
            if (action !== 'subscribe' || name === undefined) return;
            const head = { symbol: name, timeframe, epoch: 'scripted', offset: 0 };
            const price = name === symbol ? 60_000 : 100;
            const candle = (_, at) => ({
                timestamp: begin - (history - at) * 60, open: price, high: price + 30, low: price - 30,
                close: price + ((at * 7) % 41) - 20, volume: 1 + at % 5,
            });
            const candles = Array.from({ length: history }, candle);
            queueMicrotask(() => {
                this.receive(JSON.stringify({ type: 'subscribed', id, recovered: false, ...head }));
                this.receive(JSON.stringify({ type: 'snapshot', candles, ...head }));
            });
        }
        close(code = 1000) { this.readyState = 3; queueMicrotask(() => this.onclose?.({ code, reason: '' })); }
    }
    window.WebSocket = ScriptedSocket;
    window.crossings = {};
    const counted = (exports) => Object.fromEntries(Object.entries(exports).map(([name, value]) => [
        name,
        typeof value !== 'function' ? value : (...values) => {
            window.crossings[name] = (window.crossings[name] ?? 0) + 1;
            return value(...values);
        },
    ]));
    if (isCounting) {
        const instantiate = WebAssembly.instantiateStreaming;
        WebAssembly.instantiateStreaming = async (...parts) => {
            const { instance } = await instantiate.call(WebAssembly, ...parts);
            return { instance: { exports: counted(instance.exports) } };
        };
    }
    // The chart's market moves within one bar: its price goes up and down by a few cents.
    window.feed = (count, name = symbol) => {
        const socket = ScriptedSocket.all.at(-1);
        for (let i = 0; i < count; i += 1) {
            socket.offsets ??= {};
            const offset = socket.offsets[name] = (socket.offsets[name] ?? 0) + 1;
            const price = (name === symbol ? 60_000 : 100) + ((offset * 13) % 90) / 100;
            socket.receive(`{"type":"tick","symbol":"${name}","timestamp":${begin + (offset % 5000) / 100},` +
                `"price":${price},"volume":0.25,"offset":${offset}}`);
        }
    };
    window.frame = () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
}"""


def open_scripted(page: Page, server: Server, *, is_counting: bool) -> None:
    """Opens the page with a chart of 1,000 bars; its `feed(count, symbol)` sends trades, `crossings` counts."""
    arguments = {"symbol": SYMBOL, "begin": BEGIN, "isCounting": is_counting}
    page.add_init_script(f"({SET_UP})({json.dumps(arguments)})")
    page.goto(f"{server.address}/#{SYMBOL}/1m")
    page.wait_for_function("() => window.candlewire?.chart?.engineChart?.count === 1000")
    page.evaluate("async () => { feed(5); await frame(); await frame(); }")


def count_calls(page: Page, ticks: int, symbol: str = SYMBOL) -> dict[str, int]:
    """Calls into the engine, by export, for `ticks` trades before the next frame is painted."""
    return page.evaluate(
        "({ ticks, symbol }) => { window.crossings = {}; feed(ticks, symbol); return { ...window.crossings }; }",
        {"ticks": ticks, "symbol": symbol},
    )


def count_frame(page: Page) -> dict[str, int]:
    """Calls into the engine, by export, for one frame after a trade."""
    return page.evaluate(
        """async () => {
            await frame();
            await frame();
            feed(1);
            window.crossings = {};
            await new Promise(requestAnimationFrame);
            return { ...window.crossings };
        }"""
    )
