import MarketFeeds
import StreamCore

/// What `candlewire symbols` prints of a venue that is searched: its companies, or the prices of one.
enum CompanyListing {
    static func table(_ companies: [IntrinioReference.Company]) -> String {
        guard !companies.isEmpty else { return "no such company\n" }
        var table = TextTable([("symbol", .left), ("name", .left), ("CIK", .left)])
        for company in companies { table.add([.init(company.ticker), .init(company.name), .init(company.cik)]) }
        return table.text(on: .standardOutput)
            + "\n\(companies.count) \(companies.count == 1 ? "company" : "companies")\n"
    }

    static func document(_ companies: [IntrinioReference.Company]) -> String {
        var sink: [UInt8] = []
        sink.json("{\"companies\":[")
        for (index, company) in companies.enumerated() {
            if index > 0 { sink.json(",") }
            sink.json("{\"symbol\":")
            sink.string(company.ticker)
            sink.json(",\"name\":")
            sink.string(company.name)
            sink.json(",\"cik\":")
            sink.string(company.cik)
            sink.json("}")
        }
        sink.json("]}\n")
        return String(decoding: sink, as: UTF8.self)
    }

    static func table(_ prices: [ReferencePrice]) -> String {
        guard !prices.isEmpty else { return "no prices\n" }
        var table = TextTable([
            ("date", .left), ("open", .right), ("high", .right), ("low", .right), ("close", .right),
            ("volume", .right), ("since the open", .right),
        ])
        for price in prices {
            table.add([
                .init(price.date), .init(text(price.open)), .init(text(price.high)), .init(text(price.low)),
                .init(text(price.close)), .init(text(price.volume)),
                .init(price.change(to: price.close)?.percent.map(percentage)),
            ])
        }
        return table.text(on: .standardOutput)
    }

    private static func text(_ value: Double?) -> String? { value.map { "\($0)" } }

    /// With its sign: `+5.00 %`.
    private static func percentage(_ percent: Double) -> String {
        let hundredths = (abs(percent) * 100).rounded()
        guard hundredths < 1e15 else { return "\(percent) %" }
        let digits = Int(hundredths)
        let sign = digits == 0 ? "" : percent < 0 ? "-" : "+"
        return "\(sign)\(digits / 100).\(digits % 100 < 10 ? "0" : "")\(digits % 100) %"
    }

    static func document(_ prices: [ReferencePrice]) -> String {
        var sink: [UInt8] = []
        func field(_ name: StaticString, _ value: Double?) {
            sink.json(name)
            if let value, value.isFinite { sink.number(value) } else { sink.json("null") }
        }
        sink.json("{\"prices\":[")
        for (index, price) in prices.enumerated() {
            if index > 0 { sink.json(",") }
            sink.json("{\"date\":")
            sink.string(price.date)
            field(",\"open\":", price.open)
            field(",\"high\":", price.high)
            field(",\"low\":", price.low)
            field(",\"close\":", price.close)
            field(",\"volume\":", price.volume)
            sink.json("}")
        }
        sink.json("]}\n")
        return String(decoding: sink, as: UTF8.self)
    }
}
