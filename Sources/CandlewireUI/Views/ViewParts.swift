// Apple's platforms only; type-checked on Linux by Scripts/check-apple.
#if canImport(SwiftUI)
    internal import FinanceChartsKit
    internal import SwiftUI

    extension Movement {
        var colour: Color {
            switch self {
            case .up: .green
            case .down: .red
            case .flat: .secondary
            }
        }
    }

    /// A name and its value; one element for a screen reader.
    struct FigureRow: View {
        let figure: Figure

        var body: some View {
            LabeledContent {
                Text(verbatim: value).monospacedDigit().foregroundStyle(figure.movement?.colour ?? .primary)
            } label: {
                Text(verbatim: figure.name)
            }
            .accessibilityElement(children: .combine)
        }

        private var value: String {
            figure.movement.map { "\($0.arrow) \(figure.value)" } ?? figure.value
        }
    }

    /// What a list shows where it has no rows: that it loads, why it failed with a button that tries again, or why it
    /// is empty.
    struct ListPlaceholder: View {
        let state: ListState
        let emptyReason: String?
        let retry: @MainActor () async -> Void

        var body: some View {
            switch state {
            case .loading: ProgressView { Text(verbatim: localized("Loading…")) }
            case .failed(let reason):
                ContentUnavailableView {
                    Label {
                        Text(verbatim: localized("This cannot be loaded"))
                    } icon: {
                        Image(systemName: "exclamationmark.triangle")
                    }
                } description: {
                    Text(verbatim: reason)
                } actions: {
                    Button {
                        Task { await retry() }
                    } label: {
                        Text(verbatim: localized("Try again"))
                    }
                }
            case .ready:
                if let emptyReason {
                    ContentUnavailableView {
                        Text(verbatim: emptyReason)
                    }
                }
            }
        }
    }

    /// A sentence about a problem, under or over what it is about.
    struct ProblemText: View {
        let sentence: String

        var body: some View {
            Label {
                Text(verbatim: sentence)
            } icon: {
                Image(systemName: "exclamationmark.circle")
            }
            .font(.footnote)
            .foregroundStyle(.red)
            .accessibilityElement(children: .combine)
        }
    }

    /// A menu of timeframes.
    struct TimeframeMenu: View {
        let model: ChartModel

        var body: some View {
            Menu {
                ForEach(model.timeframes, id: \.self) { timeframe in
                    Button {
                        model.controller.timeframe = timeframe
                    } label: {
                        Text(verbatim: timeframe.displayName)
                    }
                }
            } label: {
                Text(verbatim: model.controller.timeframe.rawValue)
            }
            .accessibilityLabel(Text(verbatim: localized("Timeframe")))
            .accessibilityValue(Text(verbatim: model.controller.timeframe.displayName))
        }
    }
#endif
