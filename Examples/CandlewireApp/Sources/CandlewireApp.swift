import CandlewireUI
import SwiftUI

/// Chart, markets, ticket, tracker and chat of a candlewire server, such as `make run` starts.
@main
struct CandlewireApp: App {
    @AppStorage("server") private var server = "http://127.0.0.1:8080"

    var body: some Scene {
        WindowGroup { ServerView(server: $server) }
    }
}

/// Connects to the server that is named, and says where that fails.
struct ServerView: View {
    @Binding var server: String
    @State private var app: Result<AppModel, AppProblem>?

    var body: some View {
        Group {
            switch app {
            case .success(let app): TabsView(app: app)
            case .failure(let problem): AddressView(server: $server, problem: problem.sentence)
            case nil: ProgressView()
            }
        }
        .task(id: server) { app = await AppModel.open(server) }
    }
}

/// Where the server is, while it cannot be reached.
struct AddressView: View {
    @Binding var server: String
    let problem: String
    @State private var address = ""

    var body: some View {
        Form {
            Section {
                TextField(text: $address, prompt: Text(verbatim: server)) { Text("Server") }
                    .autocorrectionDisabled()
                Button("Connect") { server = address.isEmpty ? server : address }
            } footer: {
                Text(verbatim: problem)
            }
        }
        .onAppear { address = server }
    }
}
