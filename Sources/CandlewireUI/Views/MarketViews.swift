// Apple's platforms only; type-checked on Linux by Scripts/check-apple.
#if canImport(SwiftUI)
    public import MarketServices
    public import SwiftUI

    /// The list of markets; `destination` is where a market leads.
    public struct MarketListView<Destination: View>: View {
        @Bindable private var model: MarketListModel
        private let destination: (String) -> Destination

        /// - Parameter destination: the view of a symbol, for example a ``MarketDetailView``.
        public init(_ model: MarketListModel, @ViewBuilder destination: @escaping (_ symbol: String) -> Destination) {
            self.model = model
            self.destination = destination
        }

        public var body: some View {
            List(model.rows) { row in
                NavigationLink {
                    destination(row.symbol)
                } label: {
                    MarketRowView(row: row)
                }
            }
            .overlay { ListPlaceholder(state: model.state, emptyReason: model.emptyReason, retry: model.refresh) }
            .searchable(text: $model.search, prompt: Text(verbatim: localized("Search markets")))
            .refreshable(action: model.refresh)
            .navigationTitle(Text(verbatim: localized("Markets")))
            .toolbar {
                ToolbarItem(placement: .automatic) {
                    Picker(selection: $model.order) {
                        ForEach(MarketListModel.Order.allCases) { Text(verbatim: $0.words).tag($0) }
                    } label: {
                        Text(verbatim: localized("Sort by"))
                    }
                    .pickerStyle(.menu)
                }
            }
            .task { await model.run() }
        }
    }

    /// A market in one row. At the sizes of accessibility price and name stand below each other.
    struct MarketRowView: View {
        let row: MarketRow
        @Environment(\.dynamicTypeSize) private var size

        var body: some View {
            Group {
                if size.isAccessibilitySize {
                    VStack(alignment: .leading, spacing: 4) {
                        names
                        figures(.leading)
                    }
                } else {
                    HStack {
                        names
                        Spacer()
                        figures(.trailing)
                    }
                }
            }
            .accessibilityElement(children: .ignore)
            .accessibilityLabel(Text(verbatim: row.accessibilityLabel))
            .accessibilityValue(Text(verbatim: row.spokenValue))
            .accessibilityAddTraits(.updatesFrequently)
        }

        private var names: some View {
            VStack(alignment: .leading) {
                Text(verbatim: row.symbol).font(.headline)
                Text(verbatim: row.name).font(.caption).foregroundStyle(.secondary)
            }
        }

        private func figures(_ alignment: HorizontalAlignment) -> some View {
            VStack(alignment: alignment) {
                Text(verbatim: row.price).font(.body).monospacedDigit()
                Text(verbatim: "\(row.movement.arrow) \(row.percent) \(row.period)")
                    .font(.caption)
                    .monospacedDigit()
                    .foregroundStyle(row.movement.colour)
            }
        }
    }

    /// A market: its price, its chart, its figures; `trade` opens a ticket.
    public struct MarketDetailView: View {
        private let model: MarketDetailModel
        private let trade: (MarketInfo) -> Void
        @ScaledMetric(relativeTo: .body) private var chartHeight = 320.0

        public init(_ model: MarketDetailModel, trade: @escaping (MarketInfo) -> Void) {
            self.model = model
            self.trade = trade
        }

        public var body: some View {
            List {
                Section {
                    if let name = model.name { Text(verbatim: name).foregroundStyle(.secondary) }
                    Text(verbatim: model.price)
                        .font(.largeTitle)
                        .monospacedDigit()
                        .accessibilityLabel(Text(verbatim: localized("Price of %@", model.symbol)))
                        .accessibilityValue(Text(verbatim: model.price))
                    if let problem = model.problem { ProblemText(sentence: problem) }
                    ChartScreen(model.chart).frame(height: chartHeight)
                }
                Section {
                    ForEach(model.figures) { FigureRow(figure: $0) }
                }
            }
            .navigationTitle(Text(verbatim: model.symbol))
            .toolbar {
                ToolbarItem(placement: .primaryAction) {
                    Button {
                        if let market = model.market { trade(market) }
                    } label: {
                        Text(verbatim: localized("Trade"))
                    }
                    .disabled(model.market == nil)
                }
            }
            .task { await model.run() }
        }
    }

    struct MarketViews_Previews: PreviewProvider {
        static var previews: some View {
            NavigationStack {
                MarketListView(MarketListModel(PreviewData.services.markets)) { Text(verbatim: $0) }
            }
            NavigationStack { MarketDetailView(PreviewData.detail) { _ in } }
                .environment(\.dynamicTypeSize, .accessibility2)
        }
    }
#endif
