// `localizedDescription` is the sentence.
public import Foundation

extension VenueWaitError: LocalizedError {
    public var errorDescription: String? { description }
}
