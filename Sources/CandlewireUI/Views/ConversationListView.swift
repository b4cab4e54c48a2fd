// Apple's platforms only; type-checked on Linux by Scripts/check-apple.
#if canImport(SwiftUI)
    public import SwiftUI

    /// The conversations of a user; `destination` is where one leads.
    public struct ConversationListView<Destination: View>: View {
        @Bindable private var model: ConversationListModel
        private let types: [String]?
        private let destination: (Conversation) -> Destination
        @State private var opened: Conversation?

        /// - Parameters:
        ///   - types: of the conversations that can be started, as the server names them; `nil`: those that it lists.
        ///   - destination: the view of a conversation, for example a ``ChatView``.
        public init(
            _ model: ConversationListModel, types: [String]? = nil,
            @ViewBuilder destination: @escaping (Conversation) -> Destination
        ) {
            self.model = model
            self.types = types
            self.destination = destination
        }

        public var body: some View {
            List {
                ForEach(model.shown) { conversation in
                    NavigationLink {
                        destination(conversation)
                    } label: {
                        VStack(alignment: .leading) {
                            Text(verbatim: conversation.title).font(.headline)
                            Text(verbatim: model.subtitle(conversation)).font(.caption).foregroundStyle(.secondary)
                        }
                        .accessibilityElement(children: .combine)
                    }
                    .contextMenu {
                        Button(role: .destructive) {
                            Task { await model.delete(conversation) }
                        } label: {
                            Text(verbatim: localized("Delete"))
                        }
                    }
                }
                if model.hasMore {
                    Button {
                        Task { await model.loadMore() }
                    } label: {
                        Text(verbatim: localized("Older conversations"))
                    }
                }
                if let problem = model.problem { ProblemText(sentence: problem) }
            }
            .overlay { ListPlaceholder(state: model.state, emptyReason: model.emptyReason, retry: model.refresh) }
            .searchable(text: $model.search, prompt: Text(verbatim: localized("Search conversations")))
            .refreshable(action: model.refresh)
            .navigationTitle(Text(verbatim: localized("Consultation")))
            .toolbar {
                ToolbarItem(placement: .primaryAction) {
                    Menu {
                        ForEach(model.offeredTypes(types)) { type in
                            Button {
                                Task { opened = await model.start(type: type.type) }
                            } label: {
                                Text(verbatim: type.title)
                            }
                        }
                    } label: {
                        Image(systemName: "square.and.pencil")
                    }
                    .accessibilityLabel(Text(verbatim: localized("New conversation")))
                    .disabled(model.offeredTypes(types).isEmpty)
                }
            }
            .sheet(item: $opened) { conversation in NavigationStack { destination(conversation) } }
            .task { await model.refresh() }
        }
    }

    struct ConversationListView_Previews: PreviewProvider {
        static var previews: some View {
            NavigationStack {
                ConversationListView(ConversationListModel(PreviewData.conversations)) { Text(verbatim: $0.title) }
            }
        }
    }
#endif
