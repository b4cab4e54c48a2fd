// swift-tools-version: 6.2
import PackageDescription

// GUIDE_SWIFT_MODE: `5`, `6`, or `main` for Swift 6 with everything on the main actor, as new projects of Xcode begin.
let settings: [SwiftSetting] =
    switch Context.environment["GUIDE_SWIFT_MODE"] {
    case "5": [.swiftLanguageMode(.v5)]
    case "main": [.swiftLanguageMode(.v6), .defaultIsolation(MainActor.self)]
    default: [.swiftLanguageMode(.v6)]
    }

let package = Package(
    name: "guide-user",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "candlewire", path: "../..")],
    targets: [
        .executableTarget(
            name: "guide-user",
            dependencies: [
                .product(name: "CandlewireSockets", package: "candlewire"),
                .product(name: "FinanceChartsKit", package: "candlewire"),
            ],
            path: "Sources/GuideUser",
            swiftSettings: settings + [.treatAllWarnings(as: .error)])
    ]
)
