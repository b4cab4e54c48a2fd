// swift-tools-version: 6.1
import PackageDescription

let package = Package(
    name: "benchmarks",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "candlewire", path: "..")],
    targets: [
        .executableTarget(
            name: "candlewire-bench",
            dependencies: [
                .product(name: "MarketModel", package: "candlewire"),
                .product(name: "StreamCore", package: "candlewire"),
                .product(name: "ChartScene", package: "candlewire"),
                .product(name: "MarketFeeds", package: "candlewire"),
            ],
            swiftSettings: [.swiftLanguageMode(.v6)])
    ]
)
