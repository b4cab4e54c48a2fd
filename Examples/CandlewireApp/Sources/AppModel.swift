import CandlewireUI
import Consultation
import FinanceChartsKit
import MarketFeeds
import MarketServices
import Observation
import TradingCore

struct AppProblem: Error {
    let sentence: String
}

/// The services of one server, and the models over them that live as long as the app.
@MainActor
@Observable
final class AppModel {
    let services: LiveServiceContainer<Paper>
    let source: ServerChartSource
    let settings: LiveServiceSettings
    let markets: MarketListModel
    let trades: TradesModel<Paper>
    let events: EventsModel
    let connection: ConnectionModel
    let conversations: ConversationListModel
    let tracker: TrackerModel
    let network = NetworkWatch(NetworkWatch.systemChanges())
    private let stream: String

    private init(_ server: String) throws {
        settings = LiveServiceSettings(url: server)
        services = try LiveServiceContainer(settings)
        source = try ServerChartSource(settings)
        stream = server.hasPrefix("https") ? "wss" + server.dropFirst(5) : "ws" + server.dropFirst(4)
        markets = MarketListModel(services.markets)
        trades = TradesModel(services)
        events = EventsModel(services.events)
        connection = ConnectionModel(services.events)
        conversations = ConversationListModel(ServerConversations(settings))
        tracker = TrackerModel(try TrackerClient(TrackedStock.bundled, url: stream + "/raw"))
        let (services, tracker) = (services, tracker)
        network.add { services.networkChanged(isAvailable: $0) }
        network.add { tracker.networkChanged(isAvailable: $0) }
    }

    static func open(_ server: String) async -> Result<AppModel, AppProblem> {
        do {
            let app = try AppModel(server)
            try await app.services.connect()
            return .success(app)
        } catch {
            return .failure(AppProblem(sentence: error.localizedDescription))
        }
    }

    func detail(_ symbol: String) -> MarketDetailModel {
        MarketDetailModel(symbol: symbol, services.markets, source: source)
    }

    func ticket(_ market: MarketInfo) -> TicketModel<Paper> {
        let ticket = TicketModel(market, services.trading)
        ticket.blockReason = connection.orderBlockReason
        return ticket
    }

    func chat(_ conversation: Conversation) -> ChatModel {
        let url = "\(stream)/ws/consultation?consultation_id=\(conversation.id)"
        let session = ConsultationSession(transport: WebSocketConsultationTransport(url: url))
        return ChatModel(session, input: PlatformSpeechInput(), output: PlatformSpeechOutput())
    }
}
