import Consultation

/// The models of a server: each consultation type has its own, which gets the type's context and no other.
struct ModelsByType: LanguageModel {
    let name: String
    private let types: ConsultationTypes
    private let make: @Sendable (ConsultationType) -> any LanguageModel

    init(_ options: ConsultationOptions, _ snapshots: ConsultationSnapshots) {
        types = options.types
        let model = options.model
        make = { Self.model($0, model, snapshots) }
        name = make(types.all[0]).name
    }

    func answer(_ request: AnswerRequest) -> AsyncStream<ModelEvent> {
        let type = types[request.kind]
        var request = request
        if type.context.isEmpty { request.screen = nil }
        return make(type).answer(request)
    }

    private static func model(
        _ type: ConsultationType, _ model: ConsultationOptions.Model, _ snapshots: ConsultationSnapshots
    ) -> any LanguageModel {
        switch (model, type.model) {
        case (.custom(let model), _): return model
        case (.openAICompatible(var configuration), let named) where named != "guide":
            configuration.model = named ?? configuration.model
            return OpenAICompatibleModel(
                configuration, type: type, context: { await snapshots.snapshot(for: $0, in: type).summary },
                check: CardCheck(registry: snapshots.core.registry).checked)
        default:
            return GuideModel(type: type, past: snapshots.past) { await snapshots.snapshot(for: $0, in: type) }
        }
    }
}
