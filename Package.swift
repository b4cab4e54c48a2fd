// swift-tools-version: 6.2
import PackageDescription

/// Settings every Swift target shares: an import is a decision one can see in review, and a member is
/// found only through the module that the file imports.
let strict: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("ExistentialAny"),
]

func guideUser(_ name: String, folder: String, _ mode: [SwiftSetting]) -> Target {
    .executableTarget(
        name: name, dependencies: ["CandlewireSockets", "FinanceChartsKit"], path: "Tests/GuideUser/\(folder)",
        packageAccess: false, swiftSettings: mode + [.treatAllWarnings(as: .error)])
}

let package = Package(
    name: "candlewire",
    // Of the texts in CandlewireUI.
    defaultLocalization: "en",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18)],
    products: [
        .library(name: "MarketModel", targets: ["MarketModel"]),
        .library(name: "ChartScene", targets: ["ChartScene", "SceneErrors"]),
        .library(name: "StreamCore", targets: ["StreamCore", "StreamErrors"]),
        .library(name: "ConversationCore", targets: ["ConversationCore", "StreamErrors"]),
        .library(name: "TradingCore", targets: ["TradingCore", "TradingErrors"]),
        .library(name: "WebSocketTransport", targets: ["WebSocketTransport"]),
        .library(name: "CandlewireSockets", targets: ["CandlewireSockets"]),
        .library(name: "FinanceChartsKit", targets: ["FinanceChartsKit"]),
        .library(name: "HTTPTransport", targets: ["HTTPTransport"]),
        .library(name: "HistoryStore", targets: ["HistoryStore"]),
        .library(name: "MarketFeeds", targets: ["MarketFeeds"]),
        .library(name: "MarketServices", targets: ["MarketServices"]),
        .library(name: "Consultation", targets: ["Consultation"]),
        .library(name: "ConsultationSQLite", targets: ["ConsultationSQLite"]),
        .library(name: "CandlewireUI", targets: ["CandlewireUI"]),
        .library(name: "CandlewireServer", targets: ["CandlewireServer"]),
        .library(name: "VenueSimulation", targets: ["VenueSimulation"]),
        .library(name: "TestKit", targets: ["TestKit"]),
        .executable(name: "candlewire", targets: ["candlewire"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
        .package(url: "https://github.com/apple/swift-nio-extras", from: "1.34.0"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.0"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.0"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
        .package(url: "https://github.com/apple/swift-distributed-tracing", from: "1.7.0"),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
        // Without its traits it is what Hummingbird builds anyway.
        .package(url: "https://github.com/apple/swift-configuration", from: "1.4.0", traits: []),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.0"),
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    ],
    targets: [
        // Layer 0: values and the machines that turn ticks into candles. Embedded-clean.
        // Rounding is libm's in debug builds, and nothing else here would link it.
        .target(
            name: "MarketModel", swiftSettings: strict,
            linkerSettings: [.linkedLibrary("m", .when(platforms: [.linux]))]),

        // Layer 1: pictures and conversations as values. Embedded-clean.
        .target(name: "ChartScene", dependencies: ["MarketModel"], swiftSettings: strict),
        .target(name: "StreamCore", dependencies: ["MarketModel"], swiftSettings: strict),
        .target(name: "ConversationCore", dependencies: ["MarketModel", "StreamCore"], swiftSettings: strict),
        // Exact money and the paper exchange, a machine without IO. The standard library's Codable, no Foundation.
        .target(name: "TradingCore", dependencies: ["MarketModel"], swiftSettings: strict),

        // Sentences of the core's errors for Foundation, which the core does without. Each product of an error has its
        // sentence, and no more of the core than before.
        .target(name: "StreamErrors", dependencies: ["ConversationCore", "StreamCore"], swiftSettings: strict),
        .target(name: "SceneErrors", dependencies: ["ChartScene"], swiftSettings: strict),
        .target(name: "TradingErrors", dependencies: ["TradingCore"], swiftSettings: strict),

        // Layer 2: the shells around the core.
        .target(
            name: "WebSocketTransport",
            dependencies: [
                "MarketModel", "StreamCore", "StreamErrors", "CZlib",
                .product(name: "NIOConcurrencyHelpers", package: "swift-nio"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOTLS", package: "swift-nio"),
                .product(name: "NIOWebSocket", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
            ],
            swiftSettings: strict
        ),
        // One way to make HTTP requests.
        .target(
            name: "HTTPTransport",
            dependencies: [
                "MarketModel", "StreamCore", "StreamErrors",
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
            ],
            swiftSettings: strict
        ),
        // The same transport behind the names of Starscream 4. A target of its own, because the names clash with ours and
        // URLRequest needs Foundation's networking.
        .target(
            name: "CandlewireSockets",
            dependencies: [
                "StreamCore", "WebSocketTransport",
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
            ],
            swiftSettings: strict
        ),
        .systemLibrary(name: "CCairo", pkgConfig: "cairo", providers: [.apt(["libcairo2-dev"]), .brew(["cairo"])]),
        // Of OpenSSL 3: hashes, and the keys of tokens.
        .systemLibrary(
            name: "CCrypto", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"]), .brew(["openssl@3"])]),
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
        .target(
            name: "FinanceChartsKit",
            dependencies: [
                "MarketModel", "ChartScene", "SceneErrors",
                .target(name: "CCairo", condition: .when(platforms: [.linux])),
                .target(name: "CZlib", condition: .when(platforms: [.linux])),
            ],
            swiftSettings: strict
        ),
        .target(
            name: "HistoryStore",
            dependencies: [
                "MarketModel", "CZlib",
                // The ledger's chain of hashes, and what signs its head; CryptoKit on Apple's platforms.
                .target(name: "CCrypto", condition: .when(platforms: [.linux])),
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "GRDBSQLite", package: "GRDB.swift"),
            ],
            swiftSettings: strict
        ),

        // Layer 3: where ticks come from.
        .target(
            name: "MarketFeeds",
            dependencies: [
                "HTTPTransport", "MarketModel", "StreamCore", "WebSocketTransport", "CZlib",
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ],
            swiftSettings: strict
        ),
        // Venues on this machine, with their rules: for the command line and for tests of feeds.
        .target(
            name: "VenueSimulation",
            dependencies: [
                "MarketModel", "StreamCore", "WebSocketTransport",
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
            ],
            swiftSettings: strict
        ),
        // Markets, trading, portfolio and events behind protocols: simulated, and over the network.
        .target(
            name: "MarketServices",
            dependencies: [
                "HTTPTransport", "MarketModel", "StreamCore", "TradingCore", "TradingErrors", "WebSocketTransport",
            ],
            swiftSettings: strict
        ),

        // Conversations with an assistant: sockets, and the models that answer.
        .target(
            name: "Consultation",
            dependencies: [
                "ConversationCore", "HTTPTransport", "MarketModel", "StreamCore", "TradingCore", "TradingErrors",
                "WebSocketTransport",
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
            ],
            swiftSettings: strict
        ),

        // Conversations on a device. A target of its own, so that Consultation brings no SQLite.
        .target(
            name: "ConsultationSQLite",
            dependencies: ["Consultation", "HistoryStore", .product(name: "GRDB", package: "GRDB.swift")],
            swiftSettings: strict
        ),

        // Layer 4: models of what an app shows, and the server.
        .target(
            name: "CandlewireUI",
            dependencies: [
                "Consultation", "FinanceChartsKit", "MarketFeeds", "MarketModel", "MarketServices", "StreamCore",
                "TradingCore", "WebSocketTransport",
            ],
            resources: [.process("Resources")],
            swiftSettings: strict
        ),
        .target(
            name: "CandlewireServer",
            dependencies: [
                "MarketModel", "StreamCore", "TradingCore", "WebSocketTransport", "FinanceChartsKit", "HistoryStore",
                "MarketFeeds", "Consultation", "CCrypto", "CZlib",
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HummingbirdCore", package: "hummingbird"),
                .product(name: "NIOHTTPTypes", package: "swift-nio-extras"),
                .product(name: "NIOHTTPTypesHTTP1", package: "swift-nio-extras"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "CoreMetrics", package: "swift-metrics"),
                .product(name: "Tracing", package: "swift-distributed-tracing"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "UnixSignals", package: "swift-service-lifecycle"),
            ],
            swiftSettings: strict
        ),

        // Layer 5: the command line, wiring only.
        .executableTarget(
            name: "candlewire",
            dependencies: [
                "CandlewireServer", "Consultation", "FinanceChartsKit", "HTTPTransport", "HistoryStore", "MarketFeeds",
                "MarketModel", "MarketServices", "StreamCore", "TestKit", "TradingCore", "VenueSimulation",
                "WebSocketTransport",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Configuration", package: "swift-configuration"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "UnixSignals", package: "swift-service-lifecycle"),
            ],
            swiftSettings: strict
        ),

        // Compiled with everything else, so that the documentation's code stays true; as another package would see it.
        .executableTarget(
            name: "example-candles-from-ticks", dependencies: ["MarketModel"], path: "Examples/candles-from-ticks",
            packageAccess: false, swiftSettings: strict),
        .executableTarget(
            name: "example-test-your-client", dependencies: ["StreamCore", "TestKit", "WebSocketTransport"],
            path: "Examples/test-your-client", packageAccess: false, swiftSettings: strict),

        .executableTarget(
            name: "example-chart-quick-start", dependencies: ["FinanceChartsKit"], path: "Examples/chart-quick-start",
            packageAccess: false, swiftSettings: strict),
        .executableTarget(
            name: "example-chart-limits", dependencies: ["FinanceChartsKit"], path: "Examples/chart-limits",
            packageAccess: false, swiftSettings: strict),
        .executableTarget(
            name: "example-chart-simulated", dependencies: ["FinanceChartsKit"], path: "Examples/chart-simulated",
            packageAccess: false, swiftSettings: strict),
        .executableTarget(
            name: "example-chart-provider",
            dependencies: ["FinanceChartsKit", "MarketFeeds", "StreamCore", "WebSocketTransport"],
            path: "Examples/chart-provider", packageAccess: false, swiftSettings: strict),

        .executableTarget(
            name: "example-chart-live", dependencies: ["CandlewireUI", "FinanceChartsKit", "MarketServices"],
            path: "Examples/chart-live", packageAccess: false, swiftSettings: strict),
        .executableTarget(
            name: "example-trading-services", dependencies: ["MarketModel", "MarketServices", "TradingCore"],
            path: "Examples/trading-services", packageAccess: false, swiftSettings: strict),
        .executableTarget(
            name: "example-live-trading",
            dependencies: ["CCrypto", "HTTPTransport", "MarketServices", "TradingCore", "VenueSimulation"],
            path: "Examples/live-trading", packageAccess: false, swiftSettings: strict),

        // The code of Docs/from-the-guide.md as its readers compile it: in the language modes 5 and 6, and in 6 with
        // everything on the main actor, as new projects of Xcode begin. The three folders are one.
        guideUser("guide-user-5", folder: "Swift5", [.swiftLanguageMode(.v5)]),
        guideUser("guide-user-6", folder: "Swift6", [.swiftLanguageMode(.v6)]),
        guideUser(
            "guide-user-main", folder: "MainActor", [.swiftLanguageMode(.v6), .defaultIsolation(MainActor.self)]),

        .executableTarget(
            name: "example-offline-chat", dependencies: ["Consultation", "ConsultationSQLite"],
            path: "Examples/offline-chat", packageAccess: false, swiftSettings: strict),

        // For people who test software like this. The command line imports it too, for its chaos proxy.
        .target(
            name: "TestKit",
            dependencies: [
                "MarketModel", "StreamCore", "WebSocketTransport",
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
            ],
            swiftSettings: strict
        ),

        .testTarget(name: "MarketModelTests", dependencies: ["MarketModel", "TestKit"], swiftSettings: strict),
        .testTarget(
            name: "StreamCoreTests", dependencies: ["MarketModel", "StreamCore", "TestKit"],
            exclude: ["Session/Stories", "Session/Transitions"], swiftSettings: strict),
        .testTarget(
            name: "ChartSceneTests", dependencies: ["MarketModel", "ChartScene", "TestKit"], exclude: ["Golden"],
            swiftSettings: strict),
        .testTarget(
            name: "TradingCoreTests", dependencies: ["MarketModel", "TradingCore", "TestKit"], swiftSettings: strict),
        .testTarget(
            name: "WebSocketTransportTests",
            dependencies: [
                "CZlib", "MarketModel", "StreamCore", "WebSocketTransport", "TestKit",
                .product(name: "NIOConcurrencyHelpers", package: "swift-nio"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOEmbedded", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
                .product(name: "NIOWebSocket", package: "swift-nio"),
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "HTTPTransportTests",
            dependencies: [
                "HTTPTransport", "MarketModel",
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "CandlewireSocketsTests",
            dependencies: [
                "CandlewireSockets", "StreamCore", "WebSocketTransport",
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ],
            swiftSettings: strict
        ),
        // As an application of Swift 5 would be: the names must do without the strictness of ours.
        .testTarget(
            name: "StarscreamCodeTests", dependencies: ["CandlewireSockets"], packageAccess: false,
            swiftSettings: [.swiftLanguageMode(.v5)]),
        .testTarget(
            name: "FinanceChartsKitTests",
            dependencies: [
                "FinanceChartsKit", "MarketModel", "TestKit",
                // Reads pictures back with libpng.
                .target(name: "CCairo", condition: .when(platforms: [.linux])),
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "HistoryStoreTests",
            dependencies: ["HistoryStore", "MarketModel", .product(name: "GRDB", package: "GRDB.swift")],
            swiftSettings: strict
        ),
        .testTarget(
            name: "MarketFeedsTests",
            dependencies: [
                "HTTPTransport", "MarketModel", "StreamCore", "MarketFeeds", "TestKit", "VenueSimulation",
                "WebSocketTransport",
                .product(name: "NIOCore", package: "swift-nio"),
            ],
            swiftSettings: strict),
        .testTarget(
            name: "MarketServicesTests",
            dependencies: [
                "CandlewireServer", "HTTPTransport", "MarketFeeds", "MarketModel", "MarketServices", "StreamCore",
                "TestKit",
                "TradingCore", "WebSocketTransport", .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "CandlewireUITests",
            dependencies: [
                "CandlewireUI", "Consultation", "FinanceChartsKit", "HTTPTransport", "MarketFeeds", "MarketModel",
                "MarketServices", "StreamCore", "TestKit", "TradingCore", "VenueSimulation",
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "ConsultationTests",
            dependencies: [
                "Consultation", "ConsultationSQLite", "ConversationCore", "HistoryStore", "MarketModel", "StreamCore",
                "TestKit", "TradingCore", .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "TestKitTests",
            dependencies: [
                "MarketModel", "StreamCore", "WebSocketTransport", "TestKit",
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "VenueSimulationTests",
            dependencies: [
                "MarketModel", "StreamCore", "TestKit", "VenueSimulation", "WebSocketTransport",
                .product(name: "NIOCore", package: "swift-nio"),
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "CandlewireServerTests",
            dependencies: [
                "CCrypto", "CZlib", "CandlewireServer", "CandlewireUI", "Consultation", "ConsultationSQLite",
                "FinanceChartsKit",
                "HTTPTransport", "HistoryStore", "MarketFeeds", "MarketModel", "MarketServices", "StreamCore",
                "TradingCore", "WebSocketTransport", "TestKit", "VenueSimulation",
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "GRDBSQLite", package: "GRDB.swift"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "CoreMetrics", package: "swift-metrics"),
                .product(name: "InMemoryTracing", package: "swift-distributed-tracing"),
                .product(name: "Tracing", package: "swift-distributed-tracing"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ],
            swiftSettings: strict
        ),
    ]
)
