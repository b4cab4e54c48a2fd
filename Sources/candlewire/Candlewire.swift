import ArgumentParser
import HistoryStore

@main
struct Candlewire: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "candlewire",
        abstract: "Real-time market data: from a tick to a candle on the screen.",
        discussion: """
            Start the server with the simulated exchange and open the page it names:

              candlewire serve
            """,
        version: CandlewireRelease.version,
        subcommands: [
            ServeCommand.self, ChartCommand.self, EchoCommand.self, SceneCommand.self, ChaosCommand.self,
            RecordCommand.self, WatchCommand.self, StudiesCommand.self, OrderCommand.self, OrdersCommand.self,
            PositionsCommand.self, PortfolioCommand.self, FillsCommand.self, EventsCommand.self,
            AccountsCommand.self, VerifyCommand.self, CompactCommand.self, PaperCommand.self, TradesCommand.self,
            ImportCommand.self,
            ExportCommand.self,
            BackfillCommand.self, CompareCommand.self, SymbolsCommand.self, MarketsCommand.self, TrackerCommand.self,
            FeedsCommand.self, SimulateCommand.self, ConsultCommand.self, ConsultationTypesCommand.self,
            TokensCommand.self, AuditCommand.self,
            BackupCommand.self, RestoreCommand.self, PruneCommand.self, ConfigCommand.self, DoctorCommand.self,
        ])
}
