// `localizedDescription` is the sentence.
public import Foundation

extension ScriptFailure: LocalizedError {
    public var errorDescription: String? { description }
}
