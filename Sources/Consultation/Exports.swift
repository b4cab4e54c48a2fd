// A file that imports Consultation has the conversation's wire and machines without a second import.
@_exported public import ConversationCore
// The sentences of the errors of an order in a card.
@_exported public import TradingErrors
