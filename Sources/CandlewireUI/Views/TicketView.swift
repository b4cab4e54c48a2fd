// Apple's platforms only; type-checked on Linux by Scripts/check-apple.
#if canImport(SwiftUI)
    public import SwiftUI
    public import TradingCore

    /// An order that is being written.
    public struct TicketView<Mode: TradingMode>: View {
        @Bindable private var model: TicketModel<Mode>

        public init(_ model: TicketModel<Mode>) { self.model = model }

        public var body: some View {
            Form {
                Section {
                    Picker(selection: $model.side) {
                        ForEach(Side.known, id: \.self) { Text(verbatim: $0.words).tag($0) }
                    } label: {
                        Text(verbatim: localized("Side"))
                    }
                    .pickerStyle(.segmented)
                    Picker(selection: $model.type) {
                        ForEach(OrderType.known, id: \.self) { Text(verbatim: $0.words).tag($0) }
                    } label: {
                        Text(verbatim: localized("Type"))
                    }
                    Picker(selection: $model.timeInForce) {
                        ForEach(TimeInForce.known, id: \.self) { Text(verbatim: $0.words).tag($0) }
                    } label: {
                        Text(verbatim: localized("In force"))
                    }
                }
                Section {
                    ForEach(model.fields, id: \.self) { field in
                        TicketField(model: model, field: field)
                    }
                    leverage
                    Toggle(isOn: $model.isReduceOnly) { Text(verbatim: localized("Reduce only")) }
                    if model.allowsPostOnly {
                        Toggle(isOn: $model.isPostOnly) { Text(verbatim: localized("Post only")) }
                    }
                }
                .disabled(model.isSending || model.isUncertain)
                Section {
                    ForEach(model.figures) { FigureRow(figure: $0) }
                } footer: {
                    VStack(alignment: .leading) {
                        ForEach(model.problems, id: \.self) { ProblemText(sentence: $0) }
                    }
                }
                Section { buttons }
            }
            .navigationTitle(Text(verbatim: model.symbol))
            .task { await model.run() }
            .sensoryFeedback(.success, trigger: model.placed?.id)
            .sensoryFeedback(.error, trigger: model.refusal)
        }

        @ViewBuilder private var leverage: some View {
            Picker(selection: $model.leverage) {
                ForEach(model.leverageChoices, id: \.self) { Text(verbatim: "\($0)×").tag($0) }
            } label: {
                Text(verbatim: localized("Leverage"))
            }
            .pickerStyle(.menu)
            if let notice = model.leverageNotice { Text(verbatim: notice).font(.footnote) }
        }

        @ViewBuilder private var buttons: some View {
            Button {
                Task { await model.send() }
            } label: {
                Text(verbatim: model.isUncertain ? localized("Send the same order again") : model.title)
                    .frame(maxWidth: .infinity)
            }
            .buttonStyle(.borderedProminent)
            .disabled(!model.canSend)
            if model.isUncertain {
                Button {
                    model.unlock()
                } label: {
                    Text(verbatim: localized("Write another order"))
                }
                .accessibilityHint(Text(verbatim: localized("The order may have been placed: look at the orders.")))
            }
        }
    }

    /// A number of the ticket, with what is wrong with it.
    struct TicketField<Mode: TradingMode>: View {
        @Bindable var model: TicketModel<Mode>
        let field: TicketModel<Mode>.Field

        var body: some View {
            VStack(alignment: .leading) {
                LabeledContent {
                    input
                        .multilineTextAlignment(.trailing)
                        .monospacedDigit()
                } label: {
                    Text(verbatim: field.words)
                }
                if let problem = model.problem(field) { ProblemText(sentence: problem) }
            }
        }

        private var input: some View {
            TextField(text: text, prompt: Text(verbatim: unit)) { Text(verbatim: field.words) }
                .autocorrectionDisabled()
                #if os(iOS)
                    .keyboardType(.decimalPad)
                #endif
        }

        private var unit: String {
            switch field {
            case .quantity: model.baseCurrency
            case .trail: "%"
            case .limitPrice, .stopPrice, .takeProfit, .stopLoss: model.quoteCurrency
            }
        }

        private var text: Binding<String> {
            switch field {
            case .quantity: $model.quantity
            case .limitPrice: $model.limitPrice
            case .stopPrice: $model.stopPrice
            case .trail: $model.trail
            case .takeProfit: $model.takeProfit
            case .stopLoss: $model.stopLoss
            }
        }
    }

    struct TicketView_Previews: PreviewProvider {
        static var previews: some View { NavigationStack { TicketView(PreviewData.ticket) } }
    }
#endif
