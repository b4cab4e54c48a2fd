// Apple's platforms only; type-checked on Linux by Scripts/check-apple.
#if canImport(SwiftUI)
    internal import MarketServices
    public import SwiftUI

    /// What happened, by day.
    public struct EventsView: View {
        @Bindable private var model: EventsModel

        public init(_ model: EventsModel) { self.model = model }

        public var body: some View {
            List {
                ForEach(model.days) { day in
                    Section {
                        ForEach(day.events) { event in row(event) }
                    } header: {
                        Text(verbatim: day.title)
                    }
                }
            }
            .overlay {
                ListPlaceholder(state: model.state, emptyReason: model.emptyReason, retry: model.fetch)
            }
            .navigationTitle(Text(verbatim: localized("Events")))
            .toolbar {
                ToolbarItem(placement: .automatic) {
                    Picker(selection: $model.type) {
                        Text(verbatim: localized("All")).tag(ServiceEventType?.none)
                        ForEach(ServiceEventType.known, id: \.self) { type in
                            Text(verbatim: type.words).tag(ServiceEventType?.some(type))
                        }
                    } label: {
                        Text(verbatim: localized("Show"))
                    }
                    .pickerStyle(.menu)
                }
            }
            .sensoryFeedback(.warning, trigger: model.alertCount)
            .task { await model.run() }
        }

        private func row(_ event: ServiceEvent) -> some View {
            Label {
                VStack(alignment: .leading) {
                    Text(verbatim: event.message)
                    Text(verbatim: [event.symbol, model.time(event)].compactMap(\.self).joined(separator: ", "))
                        .font(.caption)
                        .foregroundStyle(.secondary)
                }
            } icon: {
                Image(systemName: event.type.symbolName)
            }
            .accessibilityElement(children: .combine)
            .accessibilityLabel(Text(verbatim: "\(event.type.words): \(event.message)"))
            .accessibilityValue(Text(verbatim: model.time(event)))
        }
    }

    /// Where the connection stands.
    public struct ConnectionPill: View {
        private let model: ConnectionModel

        public init(_ model: ConnectionModel) { self.model = model }

        public var body: some View {
            Label {
                Text(verbatim: model.words)
            } icon: {
                Image(systemName: model.symbolName)
            }
            .font(.caption)
            .foregroundStyle(model.movement.colour)
            .padding(.horizontal, 8)
            .padding(.vertical, 4)
            .background(.thinMaterial, in: .capsule)
            .accessibilityElement(children: .ignore)
            .accessibilityLabel(Text(verbatim: localized("Connection: %@", model.words)))
            .accessibilityValue(Text(verbatim: model.details))
            .task { await model.run() }
        }
    }

    struct EventsView_Previews: PreviewProvider {
        static var previews: some View {
            NavigationStack { EventsView(EventsModel(PreviewData.services.events)) }
            ConnectionPill(ConnectionModel(PreviewData.services.events))
        }
    }
#endif
