// `localizedDescription` is the sentence.
public import Foundation

extension ServerError: LocalizedError {
    public var errorDescription: String? { description }
}
