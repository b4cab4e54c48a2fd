internal import MarketServices
public import Observation

/// The conversations of a user, newest first, loaded page by page.
@MainActor
@Observable
public final class ConversationListModel {
    public private(set) var conversations: [Conversation] = []
    public private(set) var state = ListState.loading
    public private(set) var hasMore = false
    /// What a conversation can be about; empty until the service has answered.
    public private(set) var types: [ConversationType] = []
    /// Why the last command failed.
    public var problem: String?
    /// Shows conversations whose title contains each of these words.
    public var search = ""

    private let service: any ConversationService
    private let formats: Formats
    @ObservationIgnored private var isLoading = false

    public init(_ service: any ConversationService, formats: Formats = Formats()) {
        self.service = service
        self.formats = formats
    }

    /// Loads the newest page, in place of what is there, and the types of conversations.
    public func refresh() async {
        await load(before: nil)
        await loadTypes()
    }

    private func loadTypes() async {
        do throws(ServiceError) { types = try await service.fetchTypes() } catch {
            if types.isEmpty, state == .ready, error.kind != .closed { problem = error.message }
        }
    }

    /// What a menu of new conversations offers.
    /// - Parameter names: of the types that it has; one that the service does not know has its name as its title. `nil`:
    ///   those that the service lists.
    public func offeredTypes(_ names: [String]? = nil) -> [ConversationType] {
        guard let names else { return types.filter(\.isListed) }
        return names.map { name in types.first { $0.type == name } ?? ConversationType(type: name, title: name) }
    }

    /// Loads the page after the ones that are there.
    public func loadMore() async {
        if hasMore, let last = conversations.last { await load(before: last.id) }
    }

    private func load(before: String?) async {
        guard !isLoading else { return }
        isLoading = true
        defer { isLoading = false }
        do throws(ServiceError) {
            let page = try await service.fetchConversations(before: before)
            let known = before == nil ? [] : conversations
            let ids = Set(known.map(\.id))
            conversations = known + page.conversations.filter { !ids.contains($0.id) }
            (hasMore, state, problem) = (page.more, .ready, nil)
        } catch {
            if error.kind == .closed { return }
            if conversations.isEmpty { state = .failed(error.message) } else { problem = error.message }
        }
    }

    /// - Returns: the new conversation, to be opened; `nil` where it failed.
    public func start(type: String) async -> Conversation? {
        do throws(ServiceError) {
            let conversation = try await service.startConversation(type: type)
            conversations.insert(conversation, at: 0)
            (state, problem) = (.ready, nil)
            return conversation
        } catch {
            problem = error.message
            return nil
        }
    }

    public func delete(_ conversation: Conversation) async {
        do throws(ServiceError) {
            try await service.deleteConversation(conversation.id)
        } catch  where error.kind != .notFound {
            problem = error.message
            return
        } catch {
            // It is gone already.
        }
        conversations.removeAll { $0.id == conversation.id }
    }

    public var shown: [Conversation] {
        let words = search.lowercased().split(separator: " ")
        return conversations.filter { conversation in
            let title = conversation.title.lowercased()
            return words.allSatisfy { title.contains($0) }
        }
    }

    public func subtitle(_ conversation: Conversation) -> String {
        localized("%@ · %@ messages", formats.day(conversation.updatedAt), "\(conversation.messages)")
    }

    /// Why nothing is shown; `nil` where something is, or the list still loads.
    public var emptyReason: String? {
        guard state == .ready, shown.isEmpty else { return nil }
        return conversations.isEmpty
            ? localized("No conversations yet.") : localized("No conversation matches “%@”.", search)
    }
}
