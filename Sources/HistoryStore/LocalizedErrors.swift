// `localizedDescription` is the sentence.
public import Foundation

extension StoreError: LocalizedError {
    public var errorDescription: String? { description }
}
