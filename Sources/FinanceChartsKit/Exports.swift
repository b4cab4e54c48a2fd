// `import FinanceChartsKit` is all that a user of the chart kit writes.
@_exported public import ChartScene
@_exported public import MarketModel
@_exported public import SceneErrors
