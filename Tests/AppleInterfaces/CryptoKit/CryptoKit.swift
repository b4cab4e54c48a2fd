// What the package uses of CryptoKit, declared after Apple's documentation, for type-checking only.
public import Foundation

public protocol Digest: Sequence<UInt8>, Sendable {}

public struct SHA256Digest: Digest {
    public func makeIterator() -> Array<UInt8>.Iterator { [UInt8]().makeIterator() }
}

public protocol HashFunction: Sendable {
    associatedtype Digest: CryptoKit.Digest
    init()
    mutating func update(bufferPointer: UnsafeRawBufferPointer)
    func finalize() -> Digest
}

public struct SHA256: HashFunction {
    public init() {}
    public mutating func update(bufferPointer: UnsafeRawBufferPointer) {}
    public func finalize() -> SHA256Digest { SHA256Digest() }
}

public struct SymmetricKey: Sendable {
    public init<D: ContiguousBytes>(data: D) {}
}

public struct HashedAuthenticationCode<H: HashFunction>: Sequence<UInt8>, Sendable {
    public func makeIterator() -> Array<UInt8>.Iterator { [UInt8]().makeIterator() }
}

public struct HMAC<H: HashFunction>: Sendable {
    public typealias MAC = HashedAuthenticationCode<H>
    public static func authenticationCode<D: DataProtocol>(for data: D, using key: SymmetricKey) -> MAC {
        HashedAuthenticationCode()
    }
    public static func isValidAuthenticationCode<C: ContiguousBytes, D: DataProtocol>(
        _ authenticationCode: C, authenticating authenticatedData: D, using key: SymmetricKey
    ) -> Bool { false }
}
