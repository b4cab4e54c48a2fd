/// The line above every table: in which mode the account is, since that is what one must not mistake.
struct AccountHead {
    /// `PAPER`, `LIVE`: the first part of every id.
    let mode: String
    let account: String

    init(account: String) {
        self.account = TextTable.printable(account)
        mode = self.account.prefix { $0 != "-" }.uppercased()
    }

    var isPaper: Bool { mode == "PAPER" }

    func text(_ title: String, on surface: Ink.Surface) -> String {
        let label = surface.hasColours ? Ink.mode.paint(" \(mode) ", on: surface) : mode
        return "\(label)  \(Ink.strong.paint(account, on: surface))  \(TextTable.printable(title))\n"
    }
}
