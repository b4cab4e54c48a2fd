import ArgumentParser
import Foundation
import MarketFeeds

/// Where the keys of venues come from that want one: a file, else the environment. Never the command line, which others on
/// the machine can read.
struct CredentialsOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            Keys of venues that want one: {"intrinio":{"api_key":"..."}}, or "user" and "password", in a file that only \
            you can read. Without it INTRINIO_API_KEY, or INTRINIO_USER and INTRINIO_PASSWORD.
            """,
            valueName: "file"))
    var credentials: String?

    /// Those of these names that can be found.
    func found(_ names: [String]) throws(FeedError) -> [String: FeedCredentials] {
        var found: [String: FeedCredentials] = [:]
        if let credentials { found = try FeedCredentials.file(credentials) }
        let environment = ProcessInfo.processInfo.environment
        for name in names where found[name] == nil {
            found[name] = FeedCredentials.environment(environment, name: name)
        }
        return found
    }

    /// - Throws: `FeedError` that says where they could be, where there are none.
    func required(_ name: String) throws(FeedError) -> FeedCredentials {
        guard let credentials = try found([name])[name] else { throw .needsCredentials("The venue \"\(name)\"", name) }
        return credentials
    }
}
