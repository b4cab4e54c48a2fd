import StreamCore
import Testing

/// Where a session can be. Together with `TransitionInput` it spans every transition there is.
enum Situation: String, CaseIterable, CustomTestStringConvertible {
    case idle
    case connecting
    case authenticating
    case awaitingToken
    case open
    /// Open, with a token: its renewal is under way.
    case renewing
    /// Open, and the server refused the token: the application fetches another.
    case refreshing
    /// Open, with a ping that has no answer yet.
    case pinging
    /// Open, and the server has said that it will close.
    case closingSoon
    /// Open, and the second connection is being opened.
    case rotatingOpening
    /// Open, and the second connection shows its token.
    case rotatingAuthenticating
    /// Open, and the second connection replaces the first.
    case rotatingReady
    case waiting
    case waitingSlowly
    case failed
    case closed

    var testDescription: String { rawValue }

    var configuration: SessionConfiguration {
        .with {
            switch self {
            case .awaitingToken: $0.requiresToken = true
            case .rotatingOpening, .rotatingAuthenticating, .rotatingReady: $0.rotation = 60
            case .waitingSlowly: $0.backoff.attempts = 0
            default: break
            }
        }
    }

    /// The way there from a new session, with one stream and one channel that are live wherever there is a connection.
    var way: [String] {
        let wanted = ["channel orders", "subscribe BTC"]
        let live = [
            #"receive 1 {"type":"subscribed","channel":"orders","account":"paper-main","id":1,"sequence":4}"#,
            #"receive 1 {"type":"subscribed","id":2,"symbol":"BTC","timeframe":"1m","epoch":"e","offset":5}"#,
            #"receive 1 {"type":"snapshot","symbol":"BTC","timeframe":"1m","candles":[],"epoch":"e","offset":5}"#,
        ]
        let open = wanted + ["connect", "opened 1"] + live
        let openWithToken = wanted + ["token A", "connect", "opened 1", #"receive 1 {"type":"authenticated"}"#] + live
        switch self {
        case .idle: return wanted
        case .connecting: return wanted + ["connect"]
        case .authenticating: return wanted + ["token A", "connect", "opened 1"]
        case .awaitingToken: return wanted + ["connect"]
        case .open: return open
        case .renewing: return openWithToken + ["token B"]
        case .refreshing:
            return openWithToken + [#"receive 1 {"type":"error","code":"unauthorized","message":"expired"}"#]
        case .pinging: return open + ["timer"]
        case .closingSoon: return open + [#"receive 1 {"type":"closing","reconnect_after":7}"#]
        case .rotatingOpening: return open + ["until 60"]
        case .rotatingAuthenticating: return openWithToken + ["until 60", "opened 2"]
        case .rotatingReady: return open + ["until 60", "opened 2"]
        case .waiting, .waitingSlowly: return open + ["closed 1 1006"]
        case .failed: return open + ["closed 1 4102 not yours"]
        case .closed: return open + ["disconnect"]
        }
    }
}

/// What can happen to a session. `@1` is the socket in use or the last one that was, `@2` the one
/// opened after it.
enum TransitionInput: String, CaseIterable {
    case connect
    case disconnect
    case token = "token C"
    case noToken = "token"
    case noTokenNow
    case retryNow
    case networkLost = "network lost"
    case networkBack = "network back"
    case subscribe = "subscribe ETH"
    case subscribeAgain = "subscribe BTC"
    case unsubscribe = "unsubscribe BTC"
    case pause = "pause BTC"
    case resume = "resume BTC"
    case channel = "channel positions"
    case channelAgain = "channel orders"
    case leaveChannel = "leave orders"
    case hide
    case show
    case opened = "opened @1"
    case refused500 = "refused @1 503 4"
    case refused401 = "refused @1 401"
    case refused404 = "refused @1 404"
    case authenticated = #"receive @1 {"type":"authenticated"}"#
    case unauthorized = #"receive @1 {"type":"error","code":"unauthorized","message":"no"}"#
    case closing = #"receive @1 {"type":"closing","reconnect_after":3}"#
    case tick =
        #"receive @1 {"type":"tick","symbol":"BTC","timeframe":"1m","timestamp":1,"price":2,"volume":3,"offset":6}"#
    case gap =
        #"receive @1 {"type":"tick","symbol":"BTC","timeframe":"1m","timestamp":1,"price":2,"volume":3,"offset":9}"#
    case snapshot =
        #"receive @1 {"type":"snapshot","symbol":"BTC","timeframe":"1m","candles":[],"epoch":"f","offset":0}"#
    case channelMessage =
        #"receive @1 {"type":"order","channel":"orders","account":"paper-main","sequence":5,"order":{}}"#
    case channelAnswer =
        #"receive @1 {"type":"subscribed","channel":"orders","account":"paper-main","id":1,"sequence":5}"#
    case error = #"receive @1 {"type":"error","code":"too_many_messages","message":"slow down"}"#
    case malformed = "receive @1 {]"
    case unknown = #"receive @1 {"type":"news"}"#
    case pong = "pong @1"
    case lost = "closed @1 1006"
    case closedNormally = "closed @1 1000"
    case closedForBadRequests = "closed @1 4100 bad"
    case closedUnauthorized = "closed @1 4101"
    case violated = "violated @1 1009"
    case openedSecond = "opened @2"
    case refusedSecond = "refused @2 503"
    case authenticatedSecond = #"receive @2 {"type":"authenticated"}"#
    case unauthorizedSecond = #"receive @2 {"type":"error","code":"unauthorized","message":"no"}"#
    case channelSecond =
        #"receive @2 {"type":"subscribed","channel":"orders","account":"paper-main","id":3,"sequence":5}"#
    case channelMessageSecond =
        #"receive @2 {"type":"order","channel":"orders","account":"paper-main","sequence":5,"order":{}}"#
    case subscribedSecond =
        #"receive @2 {"type":"subscribed","id":4,"symbol":"BTC","timeframe":"1m","epoch":"e","offset":5,"recovered":true}"#
    case pongSecond = "pong @2"
    case lostSecond = "closed @2 1006"
    case timer
    /// The timer comes a minute late: the machine slept.
    case lateTimer
}

/// What each input does in one situation.
enum TransitionTable {
    /// A line for each input: what the session does, where it is then, and its next deadline.
    static func text(of situation: Situation) -> String {
        var lines = ["\(situation.rawValue): \(standing(stage(in: situation)))"]
        for input in TransitionInput.allCases {
            lines.append("")
            lines.append("> \(input.rawValue)")
            lines += apply(input, in: situation)
        }
        return lines.joined(separator: "\n") + "\n"
    }

    static func stage(in situation: Situation) -> SessionStage {
        var stage = SessionStage(situation.configuration)
        for step in situation.way {
            if step == "timer" {
                stage.perform("timer")
            } else if step.hasPrefix("until ") {
                let end = Double(step.dropFirst(6))!
                while stage.now < end {
                    stage.perform("timer")
                    // The peer answers.
                    if stage.now < end { stage.perform("\(stage.now) pong 1") }
                }
            } else {
                stage.perform("\(stage.now) \(step)")
            }
        }
        return stage
    }

    private static func apply(_ input: TransitionInput, in situation: Situation) -> [String] {
        var stage = stage(in: situation)
        let isRotating = [.rotatingOpening, .rotatingAuthenticating, .rotatingReady].contains(situation)
        let second = isRotating ? stage.lastSocket : stage.lastSocket + 1
        let first = isRotating ? 1 : stage.lastSocket
        let before = SessionText.name(stage.session.state)
        switch input {
        case .networkBack:
            stage.input("network lost")
            _ = stage.drainActions()
            stage.input(input.rawValue)
        case .timer: stage.session.timerFired(now: max(stage.now, stage.session.deadline ?? stage.now))
        case .lateTimer: stage.session.timerFired(now: max(stage.now, stage.session.deadline ?? stage.now) + 60)
        default:
            stage.input(
                input.rawValue.replacing("@1", with: "\(first)").replacing("@2", with: "\(second)"))
        }
        var lines = stage.drainActions()
        if lines.isEmpty { lines = ["nothing"] }
        let after = standing(stage)
        if lines == ["nothing"], SessionText.name(stage.session.state) == before { return lines }
        return lines + ["= \(after)"]
    }

    /// The states before, reported on the way, and after.
    static func states(_ input: TransitionInput, in situation: Situation) -> [String] {
        let reported = apply(input, in: situation).filter { $0.hasPrefix("state ") }.map { String($0.dropFirst(6)) }
        return [SessionText.name(stage(in: situation).session.state)] + reported
    }

    private static func standing(_ stage: SessionStage) -> String {
        let timer = stage.session.deadline.map { "timer \(SessionText.time($0))" } ?? "no timer"
        return "\(SessionText.name(stage.session.state)), \(timer)"
    }
}
