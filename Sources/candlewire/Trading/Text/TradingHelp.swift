/// What the help texts of all trading commands say alike.
enum TradingHelp {
    static let exitCodes = """
        EXIT CODES
          0 done, 1 not confirmed, 64 wrong usage, 65 refused or not possible any
          more, 66 the server does not know it, 69 no server, 75 no answer or not now:
          try again, 76 the answer is no candlewire server's
        """
}
