// `SeededGenerator` is MarketModel's: who tests with this kit gets it, and ticks and candles, from `import TestKit`.
@_exported public import MarketModel
