// What the package uses of Network, declared after Apple's documentation, for type-checking only.
public import Dispatch

public struct NWPath: Sendable {
    public enum Status: Sendable { case satisfied, unsatisfied, requiresConnection }
    public let status: Status
}

public final class NWPathMonitor: @unchecked Sendable {
    public init() {}
    public var currentPath: NWPath { NWPath(status: .satisfied) }
    public var pathUpdateHandler: (@Sendable (_ newPath: NWPath) -> Void)?
    public func start(queue: DispatchQueue) {}
    public func cancel() {}
}
