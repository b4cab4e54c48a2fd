"""Exact decimals in the page, against Python's own."""

import random
from decimal import ROUND_DOWN, ROUND_HALF_UP, Decimal, localcontext

import pytest
from playwright.sync_api import Page

from support.server import Server


@pytest.fixture
def decimals(page: Page, simulated: Server) -> Page:
    page.goto(f"{simulated.address}/health")
    page.evaluate(
        """async () => {
            Object.assign(window, await import('/decimal.js'), await import('/money.js'),
                await import('/trading/ticket-size.js'), await import('/user-error.js'));
        }"""
    )
    return page


@pytest.mark.parametrize(
    ("typed", "sent"),
    [
        ("0.1", "0.1"),
        ("12345678901.0000000000000001", "12345678901.0000000000000001"),
        ("1,234.50", "1234.5"),
        ("1 234.5", "1234.5"),
        (".5", "0.5"),
        ("5.", "5"),
        ("007", "7"),
        ("−3.10", "-3.1"),
        ("+3", "3"),
        ("0.000", "0"),
        # A comma that may be a decimal point is not guessed at.
        ("1,5", None),
        ("1,23,456", None),
        ("1.2.3", None),
        ("1e5", None),
        ("", None),
        (".", None),
        ("0.00000000000000001", None),
        ("99999999999999999999999", None),
    ],
)
def test_what_is_typed_is_what_is_sent(decimals: Page, typed: str, sent: str | None) -> None:
    text = "text => { const value = parseDecimal(text); return value && decimalText(value); }"
    assert decimals.evaluate(text, typed) == sent


def test_sums_agree_with_python(decimals: Page) -> None:
    chance = random.Random(5)
    pairs = [
        tuple(f"{chance.choice(['', '-'])}{chance.randrange(10**chance.randint(1, 14))}.{chance.randrange(10**8)}" for _ in "ab")
        for _ in range(400)
    ]
    found = decimals.evaluate(
        """pairs => pairs.map(([a, b]) => {
            const [x, y] = [parseDecimal(a), parseDecimal(b)];
            return [plus(x, y), minus(x, y), times(x, y), rounded(x, 2), y.units === 0n ? x : dividedDown(x, y, 8)]
                .map(decimalText).concat([String(compare(x, y))]);
        })""",
        pairs,
    )
    cents, units = Decimal("0.01"), Decimal("0.00000001")
    with localcontext() as context:
        context.prec = 80
        for (a, b), (total, difference, product, nearest, quotient, order) in zip(pairs, found, strict=True):
            x, y = Decimal(a), Decimal(b)
            assert Decimal(total) == x + y
            assert Decimal(difference) == x - y
            assert Decimal(product) == x * y
            assert Decimal(nearest) == x.quantize(cents, ROUND_HALF_UP)
            assert Decimal(quotient) == (x if y == 0 else (x / y).quantize(units, ROUND_DOWN))
            assert int(order) == (x > y) - (x < y)


def test_money_is_written_for_people(decimals: Page) -> None:
    assert decimals.evaluate("formatDecimal('1234567.895', 2)") == "1,234,567.90"
    assert decimals.evaluate("formatDecimal('-0.005', 2)") == "−0.01"
    assert decimals.evaluate("formatDecimal(undefined, 2)") == "–"
    assert decimals.evaluate("formatExact('12345.6700')") == "12,345.67"
    assert decimals.evaluate("[formatSigned('111.725'), formatSigned('-4.2'), formatSigned('0.001')]") == [
        "+111.73", "−4.20", "0.00",
    ]  # fmt: skip
    assert decimals.evaluate("[signOf('0.001'), signOf('0.005'), signOf('-1')]") == ["flat", "up", "down"]


def test_the_decimals_of_money_are_the_servers(decimals: Page, simulated: Server) -> None:
    markets = simulated.get("/v1/markets")["markets"]
    assert {(market["quote"], market["quote_decimals"]) for market in markets} == {("USD", 2)}
    assert decimals.evaluate("currencyDecimals.set('FDUSD', 2) && ['FDUSD', 'BTC'].map(each => formatMoney('1204.5', each))") == [
        "1,204.50 FDUSD", "1,204.50000000 BTC",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("field", "message", "words"),
    [
        ("quantity", "it needs 3361025172.75 USD, and 100000 is available", "It needs 3,361,025,172.75 USD, and 100,000 is available."),
        ("take_profit", "must be above the order's price, 67151.08", "Take profit must be above the order's price, 67,151.08."),
        ("take_profit", "Take profit must be above the order's price, 67,151.08.", "Take profit must be above the order's price, 67,151.08."),
        ("limit_price", 'Field "limit_price" must be above -1204.5.', "Limit price must be above −1,204.5."),
        ("trail.amount", "must be at most 1000000000000000", "Trail.amount must be at most 1,000,000,000,000,000."),
        ("leverage", "it needs 12000 USD.", "It needs 12,000 USD."),
        ("year", "must be 2026 or later", "Year must be 2026 or later."),
        ("client_order_id", "there are 1000 active orders already", "There are 1000 active orders already."),
        ("account", "there is no account paper-2026", "There is no account paper-2026."),
        ("price", "is that of 2026-11-23, not of o1234", "Price is that of 2026-11-23, not of o1234."),
        ("", "Order 1234 is unknown.", "Order 1234 is unknown."),
    ],
)
def test_amounts_of_a_message_are_grouped_and_no_other_numbers(decimals: Page, field: str, message: str, words: str) -> None:
    assert decimals.evaluate("error => errorWords(error)", {"field": field, "message": message}) == words


def test_a_part_of_what_is_available_never_costs_more_than_that(decimals: Page) -> None:
    """The desk takes the margin and a fee: the size is what 99.5% of the budget pays for, by its own figures."""
    size = decimals.evaluate(
        """() => sizeOf({ percent: 100, available: '100000', price: '67234.5', leverage: 5, preview: async quantity => {
            const notional = times(parseDecimal(quantity), parseDecimal('67234.5'));
            const fee = times(notional, parseDecimal('0.001'));
            return { margin: decimalText(dividedDown(notional, parseDecimal('5'), 16)), fee: decimalText(fee) };
        }})"""
    )
    taken = Decimal(size) * Decimal("67234.5") * (Decimal("0.2") + Decimal("0.001"))
    # The price may move by half a percent until the order is sent.
    assert Decimal("99499.98") < taken <= Decimal("99500")
    assert decimals.evaluate("partOf('0.3', 50)") == "0.15"
    assert decimals.evaluate("partOf('0.30', 100)") == "0.3"
    nothing = "sizeOf({ percent: 50, available: '0', price: '5', leverage: 1, preview: () => { throw new Error('previewed'); } })"
    assert decimals.evaluate(nothing) == "0"
