import Foundation
import MarketFeeds

/// Finds the folder of the terminal page.
enum WebDirectory {
    /// - Parameter given: what the user named; otherwise `Web` in the working folder or in one above the program.
    static func find(_ given: String?) throws(FeedError) -> String? {
        if let given {
            guard holdsPage(given) else {
                throw FeedError(.input, "There is no index.html in the folder \(given).")
            }
            return given
        }
        if holdsPage("Web") { return "Web" }
        var folder = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
        for _ in 0..<6 {
            folder.deleteLastPathComponent()
            let candidate = folder.appendingPathComponent("Web").path
            if holdsPage(candidate) { return candidate }
        }
        return nil
    }

    private static func holdsPage(_ folder: String) -> Bool {
        FileManager.default.fileExists(atPath: folder + "/index.html")
    }
}
