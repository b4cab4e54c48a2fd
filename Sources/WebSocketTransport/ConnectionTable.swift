/// Counts the connections of each address and of all, by kind, and says whether there is room for one more.
package struct ConnectionTable {
    package enum Kind: Int, CaseIterable, Sendable {
        case http
        case webSocket
    }

    package struct Limits: Sendable {
        package var perAddress: Int
        package var total: Int
        /// Connections beyond `total` that are accepted to be refused with an answer; after those none is.
        package var spare = 0
        /// The same beyond `perAddress`.
        package var sparePerAddress = 0

        package init(perAddress: Int, total: Int, spare: Int = 0, sparePerAddress: Int = 0) {
            self.perAddress = max(1, perAddress)
            self.total = max(1, total)
            self.spare = spare
            self.sparePerAddress = sparePerAddress
        }
    }

    package enum Reason: Sendable, Equatable {
        /// The address has its share.
        case address
        /// The server is full.
        case total
    }

    package enum Admission: Sendable, Equatable {
        case admitted
        /// Counted, and must be refused with an answer.
        case spare(Reason)
        /// Not counted.
        case refused(Reason)
    }

    private struct Counts {
        var of = [0, 0]
        var isEmpty: Bool { of.allSatisfy { $0 == 0 } }
    }

    package let limits: [Limits]
    private var addresses: [IPAddress: Counts] = [:]
    private var totals = Counts()

    /// - Parameter limits: by `Kind.rawValue`.
    package init(http: Limits, webSocket: Limits) { limits = [http, webSocket] }

    /// How many addresses have connections.
    package var addressCount: Int { addresses.count }

    package func total(_ kind: Kind) -> Int { totals.of[kind.rawValue] }

    /// Counts one more, unless it is refused.
    /// - Parameters:
    ///   - address: nil: not counted by address.
    ///   - countsInTotal: false for a request on a connection that is counted already, as that of a proxy.
    package mutating func enter(_ kind: Kind, _ address: IPAddress?, countsInTotal: Bool = true) -> Admission {
        let (limits, index) = (limits[kind.rawValue], kind.rawValue)
        var admission = Admission.admitted
        if let address {
            let count = addresses[address]?.of[index] ?? 0
            if count >= limits.perAddress {
                guard count - limits.perAddress < limits.sparePerAddress else { return .refused(.address) }
                admission = .spare(.address)
            }
        }
        if countsInTotal {
            let beyond = totals.of[index] - limits.total
            if beyond >= 0 {
                guard beyond < limits.spare else { return .refused(.total) }
                admission = .spare(.total)
            }
            totals.of[index] += 1
        }
        if let address { addresses[address, default: Counts()].of[index] += 1 }
        return admission
    }

    /// Counts one less, as it was counted in.
    package mutating func leave(_ kind: Kind, _ address: IPAddress?, countsInTotal: Bool = true) {
        if countsInTotal { totals.of[kind.rawValue] -= 1 }
        guard let address, var counts = addresses[address] else { return }
        counts.of[kind.rawValue] -= 1
        addresses[address] = counts.isEmpty ? nil : counts
    }
}
