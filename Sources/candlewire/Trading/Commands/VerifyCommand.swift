import ArgumentParser
import CandlewireServer
import Foundation
import HistoryStore

/// `candlewire verify`: proves the ledgers of a data folder.
struct VerifyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Prove that the ledgers of a data folder are whole.",
        discussion: """
            Reads each ledger at one moment, also while a server runs, and changes nothing. It checks the chain of \
            hashes up to the signed head, that each entry follows from those before it, balances, positions against \
            fills, snapshots against what the entries make, and the index of past orders and fills.

            EXAMPLES
              candlewire verify
              candlewire verify --data-dir /var/lib/candlewire \\
                  --ledger-key /etc/candlewire/ledger.key

            EXIT CODES
              0 all is right, 64 wrong usage,
              65 something is wrong: a sentence for each problem, 66 no ledger there
            """)

    @Option("The server's data folder.", "folder") var dataDir = DataDirectory.chosen()
    @Option("The file of the ledger's key, where it is not beside the ledger.", "file") var ledgerKey: String?

    func run() async throws {
        // SQLite makes files beside those that it reads.
        do { try DataDirectory.actAsOwner(of: dataDir) } catch { throw Failure.report(error, otherwise: 65) }
        let folders: [String]
        do throws(CommandFailure) { folders = try LedgerFolders.find(in: dataDir) } catch {
            throw Failure.report(error, otherwise: error.code)
        }
        var problems: [String] = []
        for folder in folders {
            do {
                let found = try LedgerVerification(directory: folder, keyFile: ledgerKey)
                Console.write(text(found))
                problems += found.problems
            } catch let error as StoreError {
                problems.append(error.description)
            }
        }
        if !problems.isEmpty { throw Failure.report(problems.joined(separator: "\n"), code: 65) }
    }

    private func text(_ found: LedgerVerification) -> String {
        var lines = [found.path]
        for account in found.accounts {
            let state = account.problem != nil ? "WRONG" : account.isDeleted ? "ok, deleted" : "ok"
            lines.append(
                "  \(account.name): \(account.entries) entries, \(account.orders) completed orders, "
                    + "\(account.fills) fills: \(state)")
        }
        lines.append("  head: \(found.headProblem == nil ? "ok" : "WRONG")")
        return lines.joined(separator: "\n") + "\n"
    }
}
