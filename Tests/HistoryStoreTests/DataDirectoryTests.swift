import Testing

@testable import HistoryStore

@Suite("The user's data folder")
struct DataDirectoryTests {
    #if os(Linux)
        @Test(
            "follows the XDG specification",
            arguments: [
                (["XDG_DATA_HOME": "/data/me"], "/data/me/candlewire"),
                (["XDG_DATA_HOME": "/data/me/"], "/data/me/candlewire"),
                (["XDG_DATA_HOME": ""], "/home/me/.local/share/candlewire"),
                (["XDG_DATA_HOME": "relative"], "/home/me/.local/share/candlewire"),
                ([:], "/home/me/.local/share/candlewire"),
            ] as [([String: String], String)])
        func linux(environment: [String: String], expected: String) {
            #expect(DataDirectory.userDefault(environment: environment, home: "/home/me") == expected)
        }
    #endif

    @Test("is an absolute path")
    func absolute() {
        #expect(DataDirectory.userDefault().hasPrefix("/"))
        #expect(DataDirectory.userDefault().hasSuffix("/candlewire"))
    }
}
