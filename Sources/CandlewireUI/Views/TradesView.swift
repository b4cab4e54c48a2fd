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
            .navigationTitle(Text(verbatim: localized("Positions and orders")))
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
                    Text(verbatim: localized("No open positions.")).foregroundStyle(.secondary)
                }
            } header: {
                Text(verbatim: localized("Positions"))
            }
        }

        @ViewBuilder private func commands(_ row: PositionRow<Mode>) -> some View {
            Button(role: .destructive) {
                Task { await model.close(row.position) }
            } label: {
                Text(verbatim: localized("Close the position"))
            }
            Button {
                Task { await model.reverse(row.position) }
            } label: {
                Text(verbatim: localized("Reverse the position"))
            }
        }

        private var orders: some View {
            Section {
                Picker(selection: $model.filter) {
                    ForEach(TradesModel<Mode>.Filter.allCases) { Text(verbatim: $0.words).tag($0) }
                } label: {
                    Text(verbatim: localized("Show"))
                }
                .pickerStyle(.segmented)
                ForEach(model.orderRows) { row in
                    OrderRowView(row: row) { Task { await model.cancel(row.order) } }
                        .disabled(model.busy.contains(row.id.description))
                }
                if model.orderRows.isEmpty {
                    Text(verbatim: localized("No orders.")).foregroundStyle(.secondary)
                }
                if model.filter == .active, model.orderRows.count > 1 {
                    Button(role: .destructive) {
                        isCancellingAll = true
                    } label: {
                        Text(verbatim: localized("Cancel all orders"))
                    }
                    .confirmationDialog(
                        Text(verbatim: localized("Cancel all working orders?")), isPresented: $isCancellingAll,
                        titleVisibility: .visible
                    ) {
                        Button(role: .destructive) {
                            Task { await model.cancelAll() }
                        } label: {
                            Text(verbatim: localized("Cancel all orders"))
                        }
                        Button(role: .cancel) {
                        } label: {
                            Text(verbatim: localized("Keep orders"))
                        }
                    }
                }
            } header: {
                Text(verbatim: localized("Orders"))
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
                    Button(role: .destructive, action: cancel) { Text(verbatim: localized("Cancel order")) }
                        .buttonStyle(.borderless)
                        .accessibilityLabel(Text(verbatim: localized("Cancel: %@", row.title)))
                }
            }
        }
    }

    struct TradesView_Previews: PreviewProvider {
        static var previews: some View { NavigationStack { TradesView(TradesModel(PreviewData.services)) } }
    }
#endif
