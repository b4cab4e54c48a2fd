import Foundation
import HTTPTransport
import MarketFeeds
import NIOCore
import NIOPosix
import WebSocketTransport

/// What `doctor` says of the port, and of venues.
enum DoctorNetwork {
    static func port(host: String, port: Int) async -> [DoctorFinding] {
        guard port != 0 else { return [DoctorFinding("port", .ok, "any free one is used")] }
        do {
            let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
                .serverChannelOption(.autoRead, value: false)
                .bind(host: host, port: port).get()
            try await channel.close()
            return [DoctorFinding("port", .ok, "\(port) on \(host) is free")]
        } catch let error as IOError where error.errnoCode == EADDRINUSE {
            let holder = PortHolder.find(port)
            if holder?.name == "candlewire" {
                return [DoctorFinding("port", .ok, "candlewire (process \(holder?.process ?? 0)) listens on \(port)")]
            }
            let who = holder.map { "\($0.name) (process \($0.process))" } ?? "another program"
            return [
                DoctorFinding(
                    "port", .problem, "\(port) on \(host) is in use by \(who)", "stop it, or choose another --port")
            ]
        } catch {
            let reason = NetworkFailure(error).words
            return [
                DoctorFinding(
                    "port", .problem, "\(port) on \(host) cannot be used: \(reason)",
                    "choose an address of this machine with --host, and a port above 1023 with --port")
            ]
        }
    }

    /// Seconds that a venue has for its answer.
    static let timeout = 5.0

    /// Asks each venue for anything at all: an answer of any status shows that it is reached, and what time it is there.
    /// - Parameters:
    ///   - feeds: as `--feed` has them.
    ///   - addresses: as `--url` has them.
    static func feeds(_ feeds: [String], addresses: [String]) async -> [DoctorFinding] {
        var findings: [DoctorFinding] = []
        for feed in feeds {
            guard let specification = try? FeedSpecification(feed) else { continue }
            let endpoint: String
            switch specification {
            case .live(let name, _): endpoint = FeedCatalogue.adapter(named: name)?.endpoint ?? ""
            case .provider(let provider, _):
                endpoint = (try? ProviderAdapter(provider, token: "doctor"))?.endpoint ?? ""
            case .simulated, .replay, .tracker: continue
            }
            let name = specification.name
            let given = addresses.first { $0.hasPrefix("\(name)=") }.map { String($0.dropFirst(name.count + 1)) }
            findings += await reach(name, given ?? (addresses.count == 1 && feeds.count == 1 ? addresses[0] : endpoint))
        }
        return findings
    }

    private static func reach(_ name: String, _ endpoint: String) async -> [DoctorFinding] {
        let address = FeedAddress.rest(endpoint)
        do throws(HTTPTransportError) {
            let answer = try await HTTPTransport.network().send(
                HTTPTransportRequest(url: address + "/", timeout: timeout))
            var findings = [DoctorFinding("feed", .ok, "\(name): \(FeedAddress.shown(address)) answers")]
            if let date = answer.headers["date"].flatMap(httpDate) {
                let clock = DoctorMachine.difference(name, date, tolerance: 2 + DoctorMachine.tolerance)
                if clock.status != .ok { findings.append(clock) }
            }
            return findings
        } catch {
            // It was reached, and said more than was asked for.
            if case .tooLarge = error {
                return [DoctorFinding("feed", .ok, "\(name): \(FeedAddress.shown(address)) answers")]
            }
            return [
                DoctorFinding(
                    "feed", .problem, "\(name): \(FeedAddress.shown(address)) does not answer (\(error))",
                    "check the network, a proxy or a firewall; the server tries again by itself")
            ]
        }
    }

    /// The time in a header `Date` (RFC 9110 section 5.6.7).
    private static func httpDate(_ text: String) -> Double? {
        let format = DateFormatter()
        format.locale = Locale(identifier: "en_US_POSIX")
        format.timeZone = TimeZone(identifier: "GMT")
        format.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
        return format.date(from: text)?.timeIntervalSince1970
    }
}

/// Which process listens on a port, as Linux tells those who may know.
enum PortHolder {
    static func find(_ port: Int) -> (process: Int, name: String)? {
        let sockets = Set(["/proc/net/tcp", "/proc/net/tcp6"].flatMap { listening(on: port, $0) })
        guard !sockets.isEmpty else { return nil }
        let files = FileManager.default
        for entry in (try? files.contentsOfDirectory(atPath: "/proc")) ?? [] {
            guard let process = Int(entry) else { continue }
            for descriptor in (try? files.contentsOfDirectory(atPath: "/proc/\(process)/fd")) ?? [] {
                guard let target = try? files.destinationOfSymbolicLink(atPath: "/proc/\(process)/fd/\(descriptor)"),
                    sockets.contains(target)
                else { continue }
                let name = (try? String(contentsOfFile: "/proc/\(process)/comm", encoding: .utf8)) ?? "a program"
                return (process, name.trimmingCharacters(in: .whitespacesAndNewlines))
            }
        }
        return nil
    }

    /// `socket:[INODE]` of each socket in the state LISTEN (0A).
    private static func listening(on port: Int, _ table: String) -> [String] {
        let hex = String(port, radix: 16, uppercase: true)
        let suffix = ":" + String(repeating: "0", count: 4 - hex.count) + hex
        let text = (try? String(contentsOfFile: table, encoding: .utf8)) ?? ""
        return text.split(separator: "\n").compactMap { line in
            let words = line.split(separator: " ")
            guard words.count > 9, words[1].hasSuffix(suffix), words[3] == "0A" else { return nil }
            return "socket:[\(words[9])]"
        }
    }
}
