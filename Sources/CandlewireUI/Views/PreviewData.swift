// Apple's platforms only; type-checked on Linux by Scripts/check-apple.
#if canImport(SwiftUI)
    internal import Consultation
    internal import FinanceChartsKit
    internal import MarketFeeds
    internal import MarketServices
    internal import StreamCore
    internal import TradingCore

    /// What the previews show: simulated services, and a server that is not there.
    @MainActor
    enum PreviewData {
        static let services: any ServiceContainer<Paper> = {
            do {
                let services = try SimulatedServiceContainer()
                Task { try await services.connect() }
                return services
            } catch {
                preconditionFailure("the simulation's own settings are valid: \(error)")
            }
        }()

        static let chart: ChartModel = {
            let chart = ChartModel(LiveChart(SimulatedBars(), symbol: "BTC-USD"))
            chart.controller.overlays = [.ema20]
            return chart
        }()

        static var detail: MarketDetailModel {
            MarketDetailModel(symbol: "BTC-USD", services.markets, source: SimulatedBars())
        }

        static var ticket: TicketModel<Paper> {
            let market = Market(symbol: "BTC-USD", baseCurrency: "BTC", quoteCurrency: "USD", precision: 2)
            return TicketModel(MarketInfo(market, price: 67_234.5, timestamp: 0), services.trading)
        }

        static var chat: ChatModel { ChatModel(ConsultationSession(transport: SimulatedConsultation())) }

        static let template = Template(
            id: "1", kind: .meal, name: "A day at 1,800 kcal", description: "Vegetarian, three meals.",
            fields: ["breakfast": ["dish": "Porridge", "energy_kcal": 420], "glasses_of_water": 8])

        static var tracker: TrackerModel {
            do { return TrackerModel(try TrackerClient(TrackedStock.bundled, url: "ws://127.0.0.1:8080/raw")) } catch {
                preconditionFailure("the address is valid: \(error)")
            }
        }

        static var conversations: some ConversationService {
            ServerConversations(LiveServiceSettings(url: "http://127.0.0.1:8080"))
        }
    }

    /// Bars of the simulated market, without a stream.
    struct SimulatedBars: LiveChartSource {
        var streamsBars: Bool { false }

        func bars(
            symbol: String, timeframe: Timeframe, from: Double?, before: Double?, limit: Int
        ) async throws -> [Candle] {
            let request = CandlesRequest(symbol: symbol, timeframe: timeframe, limit: limit, before: before)
            return try await PreviewData.services.markets.fetchCandles(request).filter { $0.timestamp >= from ?? 0 }
        }

        func events(symbol: String, timeframe: Timeframe) throws -> AsyncStream<LiveChartEvent> {
            AsyncStream { $0.yield(.connected) }
        }
    }
#endif
