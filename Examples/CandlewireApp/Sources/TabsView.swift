import CandlewireUI
import MarketServices
import SwiftUI
import TradingCore

/// The app's tabs.
struct TabsView: View {
    let app: AppModel

    var body: some View {
        TabView {
            NavigationStack {
                MarketListView(app.markets) { symbol in MarketScreen(app: app, symbol: symbol) }
                    .toolbar { ToolbarItem(placement: .principal) { ConnectionPill(app.connection) } }
            }
            .tabItem {
                Label {
                    Text("Markets")
                } icon: {
                    Image(systemName: "chart.xyaxis.line")
                }
            }
            NavigationStack { TradesView(app.trades) }
                .tabItem {
                    Label {
                        Text("Trades")
                    } icon: {
                        Image(systemName: "list.bullet.rectangle")
                    }
                }
            NavigationStack { EventsView(app.events) }
                .tabItem {
                    Label {
                        Text("Events")
                    } icon: {
                        Image(systemName: "bell")
                    }
                }
            NavigationStack { TrackerListView(app.tracker) }
                .tabItem {
                    Label {
                        Text("Tracker")
                    } icon: {
                        Image(systemName: "waveform.path.ecg")
                    }
                }
            NavigationStack {
                ConversationListView(app.conversations) { conversation in
                    ChatScreen(app: app, conversation: conversation)
                }
            }
            .tabItem {
                Label {
                    Text("Chat")
                } icon: {
                    Image(systemName: "bubble.left.and.bubble.right")
                }
            }
        }
        .task { await app.network.run() }
    }
}

/// A market with its own model, which lives as long as the screen.
struct MarketScreen: View {
    let app: AppModel
    let symbol: String
    @State private var detail: MarketDetailModel?
    @State private var ticket: TicketModel<Paper>?
    @State private var hasTicket = false

    var body: some View {
        Group {
            if let detail {
                MarketDetailView(detail) { market in
                    ticket = app.ticket(market)
                    hasTicket = true
                }
            } else {
                ProgressView()
            }
        }
        .onAppear { if detail == nil { detail = app.detail(symbol) } }
        .onChange(of: app.network.isAvailable) { _, now in detail?.chart.networkChanged(isAvailable: now ?? true) }
        .onChange(of: app.connection.orderBlockReason) { ticket?.blockReason = app.connection.orderBlockReason }
        .sheet(isPresented: $hasTicket) {
            if let ticket { NavigationStack { TicketView(ticket) } }
        }
    }
}

/// A conversation with its own session.
struct ChatScreen: View {
    let app: AppModel
    let conversation: Conversation
    @State private var chat: ChatModel?

    var body: some View {
        Group {
            if let chat { ChatView(chat) } else { ProgressView() }
        }
        .navigationTitle(conversation.title)
        .onChange(of: app.network.isAvailable) { _, now in chat?.session.networkChanged(isAvailable: now ?? true) }
        .onAppear { if chat == nil { chat = app.chat(conversation) } }
    }
}
