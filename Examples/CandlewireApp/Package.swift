// swift-tools-version: 6.1
import PackageDescription

// What Xcode opens to edit, type-check and preview the app, and what `swift run` starts on a Mac. The app target for
// devices and the simulator, with its Info.plist, is described in project.yml.
let package = Package(
    name: "CandlewireApp",
    platforms: [.iOS(.v18), .macOS(.v15)],
    dependencies: [.package(name: "candlewire", path: "../..")],
    targets: [
        .executableTarget(
            name: "CandlewireApp",
            dependencies: [
                .product(name: "CandlewireUI", package: "candlewire"),
                .product(name: "Consultation", package: "candlewire"),
                .product(name: "FinanceChartsKit", package: "candlewire"),
                .product(name: "MarketFeeds", package: "candlewire"),
                .product(name: "MarketServices", package: "candlewire"),
                .product(name: "TradingCore", package: "candlewire"),
            ],
            path: "Sources")
    ]
)
