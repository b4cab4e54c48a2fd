/// Who says it (FIT-18).
public enum Role: String, Sendable, Hashable {
    case user, assistant, system
}
