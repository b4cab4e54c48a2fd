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
        groupedSubcommands: [
            CommandGroup(
                name: "Server",
                subcommands: [
                    ServeCommand.self, ConfigCommand.self, DoctorCommand.self, TokensCommand.self, AuditCommand.self,
                    BackupCommand.self, RestoreCommand.self, PruneCommand.self, VerifyCommand.self, CompactCommand.self,
                ]),
            CommandGroup(
                name: "Markets",
                subcommands: [
                    WatchCommand.self, MarketsCommand.self, FeedsCommand.self, SymbolsCommand.self, TrackerCommand.self,
                ]),
            CommandGroup(
                name: "Paper trading",
                subcommands: [
                    OrderCommand.self, OrdersCommand.self, PositionsCommand.self, PortfolioCommand.self,
                    FillsCommand.self, EventsCommand.self, AccountsCommand.self, PaperCommand.self,
                ]),
            CommandGroup(name: "Assistant", subcommands: [ConsultCommand.self, ConsultationTypesCommand.self]),
            CommandGroup(
                name: "History and charts",
                subcommands: [
                    ImportCommand.self, ExportCommand.self, BackfillCommand.self, CompareCommand.self,
                    ChartCommand.self, StudiesCommand.self, SceneCommand.self,
                ]),
            CommandGroup(
                name: "Recordings and tests",
                subcommands: [
                    RecordCommand.self, TradesCommand.self, SimulateCommand.self, ChaosCommand.self, EchoCommand.self,
                ]),
        ])
}
