internal import ConversationCore

/// The consultation types of a server, at least one.
public struct ConsultationTypes: Sendable, Hashable {
    /// In the order in which clients list them; the first is the default.
    public let all: [ConsultationType]
    /// Whether clients may begin consultations of other types too. Those have no context, and cards about health only.
    public let acceptsOthers: Bool

    /// - Parameter types: at least one, with different names.
    public init(_ types: [ConsultationType], acceptsOthers: Bool = false) {
        precondition(!types.isEmpty && Set(types.map(\.name)).count == types.count)
        all = types
        self.acceptsOthers = acceptsOthers
    }

    /// Without a configuration: `markets`, which clients list, and `nutrition` and `workout`, which they may request.
    public static let builtIn: ConsultationTypes = {
        do throws(ConsultationTypesError) {
            var types = try ConsultationTypes(parsing: builtInJSON).all
            for index in types.indices.dropFirst() { types[index].isListed = false }
            return ConsultationTypes(types, acceptsOthers: true)
        } catch {
            preconditionFailure(error.description)
        }
    }()

    public func accepts(_ name: String) -> Bool { acceptsOthers || all.contains { $0.name == name } }

    /// The type of this name. One that is not configured has no context; where others are not accepted, no cards either: its
    /// conversations are older than the configuration.
    public subscript(name: String) -> ConsultationType {
        if let known = all.first(where: { $0.name == name }) { return known }
        var type = ConsultationType(
            name: name, title: name, prompt: "You are an assistant. You do not know the user's markets or accounts.")
        if acceptsOthers { type.templates = [.meal, .workout, .wellness] }
        type.safetyNotes = ["It is a general starting point and no medical advice."]
        type.isListed = false
        return type
    }
}
