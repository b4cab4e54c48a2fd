import ArgumentParser
import Consultation

/// `candlewire consultation-types`: the built-in types as a file for `serve --consultation-types`.
struct ConsultationTypesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "consultation-types",
        abstract: "Print the built-in consultation types as a configuration.",
        discussion: """
            The first type is the default. templates are the cards that the assistant may
            create: meal, workout, wellness, chart_layout, alert, watchlist, order_proposal.
            context is what it may know: markets, positions, feeds. Optional fields: model
            (the name at --consultation-url, or guide) and limits (message_characters,
            messages, answer_bytes, context_messages).

            EXAMPLES
              candlewire consultation-types > types.json
              candlewire serve --consultation-types types.json
            """)

    func run() { Console.write("\(ConsultationTypes.builtInJSON)\n") }
}
