import Foundation

/// Seconds since 1970 UTC by the system's clock.
@Sendable public func systemTime() -> Double { Date().timeIntervalSince1970 }
