// swift-tools-version: 6.1
import PackageDescription

let package = Package(
    name: "benchmarks",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "candlewire", path: ".."),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.0"),
    ],
    targets: [
        .systemLibrary(name: "BenchZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]),
        .executableTarget(
            name: "candlewire-bench",
            dependencies: [
                .product(name: "MarketModel", package: "candlewire"),
                .product(name: "StreamCore", package: "candlewire"),
                .product(name: "ChartScene", package: "candlewire"),
                .product(name: "FinanceChartsKit", package: "candlewire"),
                .product(name: "MarketFeeds", package: "candlewire"),
                .product(name: "TradingCore", package: "candlewire"),
                .product(name: "HistoryStore", package: "candlewire"),
                "BenchZlib",
            ],
            swiftSettings: [.swiftLanguageMode(.v6)]),
        .executableTarget(
            name: "fanout-server",
            dependencies: [
                .product(name: "StreamCore", package: "candlewire"),
                .product(name: "WebSocketTransport", package: "candlewire"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ],
            swiftSettings: [.swiftLanguageMode(.v6)]),
        .executableTarget(
            name: "consultation-bench",
            dependencies: [
                .product(name: "CandlewireServer", package: "candlewire"),
                .product(name: "Consultation", package: "candlewire"),
                .product(name: "StreamCore", package: "candlewire"),
                .product(name: "WebSocketTransport", package: "candlewire"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ],
            swiftSettings: [.swiftLanguageMode(.v6)]),
    ]
)
