// Apple's platforms only; type-checked on Linux by Scripts/check-apple.
#if canImport(SwiftUI)
    public import SwiftUI
    public import TradingCore

    /// Portfolio, positions and orders of an account.
    public struct TradesView<Mode: TradingMode>: View {
        @Bindable private var model: TradesModel<Mode>
        @State private var isCancellingAll = false

        public init(_ model: TradesModel<Mode>) { self.model = model }

        public var body: some View {
            List {
                ForEach(model.totals, id: \.self) { figures in
                    Section {
                        ForEach(figures) { FigureRow(figure: $0) }
                    }
                }
                positions
                orders
            }
            .overlay { ListPlaceholder(state: model.state, emptyReason: nil) {} }
            .safeAreaInset(edge: .bottom) {
                if let sentence = model.problem ?? model.news {
                    Text(verbatim: sentence)
                        .font(.footnote)
                        .padding(8)
                        .background(.thinMaterial, in: .capsule)
                }
            }
            .navigationTitle(Text(verbatim: phrase("Positions and orders")))
            .sensoryFeedback(.success, trigger: model.fillCount)
            .sensoryFeedback(.error, trigger: model.problem)
            .task { await model.run() }
        }

        private var positions: some View {
            Section {
                ForEach(model.positionRows) { row in
                    PositionRowView(row: row)
                        .disabled(model.busy.contains(row.id.description))
                        .contextMenu { commands(row) }
                        .accessibilityActions { commands(row) }
                }
                if model.positions.isEmpty {
                    Text(verbatim: phrase("No open positions.")).foregroundStyle(.secondary)
                }
            } header: {
                Text(verbatim: phrase("Positions"))
            }
        }

        @ViewBuilder private func commands(_ row: PositionRow<Mode>) -> some View {
            Button(role: .destructive) {
                Task { await model.close(row.position) }
            } label: {
                Text(verbatim: phrase("Close the position"))
            }
            Button {
                Task { await model.reverse(row.position) }
            } label: {
                Text(verbatim: phrase("Reverse the position"))
            }
        }

        private var orders: some View {
            Section {
                Picker(selection: $model.filter) {
                    ForEach(TradesModel<Mode>.Filter.allCases) { Text(verbatim: $0.words).tag($0) }
                } label: {
                    Text(verbatim: phrase("Show"))
                }
                .pickerStyle(.segmented)
                ForEach(model.orderRows) { row in
                    OrderRowView(row: row) { Task { await model.cancel(row.order) } }
                        .disabled(model.busy.contains(row.id.description))
                }
                if model.orderRows.isEmpty {
                    Text(verbatim: phrase("No orders.")).foregroundStyle(.secondary)
                }
                if model.filter == .active, model.orderRows.count > 1 {
                    Button(role: .destructive) {
                        isCancellingAll = true
                    } label: {
                        Text(verbatim: phrase("Cancel all orders"))
                    }
                    .confirmationDialog(
                        Text(verbatim: phrase("Cancel all working orders?")), isPresented: $isCancellingAll,
                        titleVisibility: .visible
                    ) {
                        Button(role: .destructive) {
                            Task { await model.cancelAll() }
                        } label: {
                            Text(verbatim: phrase("Cancel all orders"))
                        }
                    }
                }
            } header: {
                Text(verbatim: phrase("Orders"))
            }
        }
    }

    struct PositionRowView<Mode: TradingMode>: View {
        let row: PositionRow<Mode>

        var body: some View {
            VStack(alignment: .leading, spacing: 4) {
                Text(verbatim: row.title).font(.headline)
                Text(verbatim: "\(row.movement.arrow) \(row.profit)")
                    .monospacedDigit()
                    .foregroundStyle(row.movement.colour)
                ForEach(row.figures) { FigureRow(figure: $0).font(.footnote) }
            }
            .accessibilityElement(children: .combine)
            .accessibilityLabel(Text(verbatim: row.title))
            .accessibilityValue(Text(verbatim: row.spokenValue))
        }
    }

    struct OrderRowView<Mode: TradingMode>: View {
        let row: OrderRow<Mode>
        let cancel: @MainActor () -> Void

        var body: some View {
            HStack {
                VStack(alignment: .leading, spacing: 4) {
                    Text(verbatim: row.title).font(.headline)
                    Text(verbatim: row.terms).font(.footnote).foregroundStyle(.secondary)
                    Text(verbatim: row.status).font(.footnote)
                }
                .accessibilityElement(children: .combine)
                Spacer()
                if row.canCancel {
                    Button(role: .destructive, action: cancel) { Text(verbatim: phrase("Cancel order")) }
                        .buttonStyle(.borderless)
                        .accessibilityLabel(Text(verbatim: phrase("Cancel: %@", row.title)))
                }
            }
        }
    }

    struct TradesView_Previews: PreviewProvider {
        static var previews: some View { NavigationStack { TradesView(TradesModel(PreviewData.services)) } }
    }
#endif
