import TradingCore

/// A decimal from its text; a typing mistake in a test stops the test.
func d(_ text: String) -> ExactDecimal { ExactDecimal(text)! }
