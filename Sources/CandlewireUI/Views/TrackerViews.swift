// Apple's platforms only; type-checked on Linux by Scripts/check-apple.
#if canImport(SwiftUI)
    internal import MarketFeeds
    public import SwiftUI

    /// The price tracker's list.
    public struct TrackerListView: View {
        @Bindable private var model: TrackerModel

        public init(_ model: TrackerModel) { self.model = model }

        public var body: some View {
            List {
                if model.hasFailed {
                    HStack {
                        ProblemText(sentence: model.connectionWords)
                        Button {
                            model.reconnect()
                        } label: {
                            Text(verbatim: localized("Try again"))
                        }
                    }
                }
                ForEach(model.rows) { row in
                    NavigationLink {
                        TrackerDetailView(model, symbol: row.symbol)
                    } label: {
                        TrackerRowView(row: row)
                    }
                }
            }
            .navigationTitle(Text(verbatim: localized("Price tracker")))
            .toolbar {
                ToolbarItem(placement: .status) { Text(verbatim: model.connectionWords).font(.caption) }
                ToolbarItem(placement: .automatic) {
                    Picker(selection: $model.order) {
                        ForEach(StockOrder.Key.allCases, id: \.self) { Text(verbatim: $0.words).tag($0) }
                    } label: {
                        Text(verbatim: localized("Sort by"))
                    }
                    .pickerStyle(.menu)
                }
            }
            .task { await model.run() }
        }
    }

    struct TrackerRowView: View {
        let row: TrackerModel.Row
        @Environment(\.accessibilityReduceMotion) private var reducesMotion

        var body: some View {
            HStack {
                VStack(alignment: .leading) {
                    Text(verbatim: row.symbol).font(.headline)
                    Text(verbatim: row.company).font(.caption).foregroundStyle(.secondary)
                }
                Spacer()
                VStack(alignment: .trailing) {
                    Text(verbatim: "\(row.movement.arrow) \(row.price)")
                        .monospacedDigit()
                        .foregroundStyle(row.isFlashing ? row.movement.colour : .primary)
                    Text(verbatim: row.percent).font(.caption).monospacedDigit().foregroundStyle(.secondary)
                }
            }
            .animation(reducesMotion ? nil : .easeOut(duration: 0.3), value: row.isFlashing)
            .accessibilityElement(children: .ignore)
            .accessibilityLabel(Text(verbatim: "\(row.symbol), \(row.company)"))
            .accessibilityValue(Text(verbatim: row.spokenValue))
            .accessibilityAddTraits(.updatesFrequently)
        }
    }

    /// One stock of the tracker, with the list's prices.
    public struct TrackerDetailView: View {
        private let model: TrackerModel
        private let symbol: String

        public init(_ model: TrackerModel, symbol: String) {
            self.model = model
            self.symbol = symbol
        }

        public var body: some View {
            List {
                if let detail = model.detail(symbol) {
                    Section {
                        TrackerRowView(row: detail.row)
                        ForEach(detail.figures) { FigureRow(figure: $0) }
                    }
                    Section { Text(verbatim: detail.description) }
                } else {
                    ContentUnavailableView {
                        Text(verbatim: localized("The tracker has no stock “%@”.", symbol))
                    }
                }
            }
            .navigationTitle(Text(verbatim: symbol))
        }
    }

    struct TrackerViews_Previews: PreviewProvider {
        static var previews: some View { NavigationStack { TrackerListView(PreviewData.tracker) } }
    }
#endif
