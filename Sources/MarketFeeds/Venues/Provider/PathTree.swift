import StreamCore

/// Several paths as one tree, so that one walk over a value finds them all, and allocates nothing: each place of
/// interest is a node, and gets the offset at which its value begins.
struct PathTree: Sendable, Equatable {
    private struct Child: Sendable, Equatable {
        var name: [UInt8]
        /// The position, where the name can be one; -1 otherwise.
        var index: Int
        var node: Int
    }

    /// Of each node; 0 is the value itself.
    private var children: [[Child]] = [[]]

    var count: Int { children.count }

    /// The node of this path; opened where it is new.
    mutating func insert(_ path: FieldPath) -> Int {
        var node = 0
        for step in path.steps {
            let name = Array(step.utf8)
            if let known = children[node].first(where: { $0.name == name }) {
                node = known.node
                continue
            }
            children[node].append(Child(name: name, index: Int(step).map { $0 >= 0 ? $0 : -1 } ?? -1, node: count))
            node = count
            children.append([])
        }
        return node
    }

    /// The same from the beginning: no node has an offset yet.
    func find(in scanner: inout JSONScanner, base: Int, into offsets: inout [Int]) throws(ParseError) {
        for index in offsets.indices { offsets[index] = -1 }
        do throws(JSONError) { try read(&scanner, base: base, into: &offsets) } catch { throw .json(error) }
    }

    /// Walks over the next value, all of it, and notes where the nodes' values begin.
    /// - Parameters:
    ///   - base: offset of the scanner's first byte in the message.
    ///   - offsets: one a node, -1 where nothing was found.
    func read(_ scanner: inout JSONScanner, base: Int, into offsets: inout [Int], node: Int = 0) throws(JSONError) {
        guard !children[node].isEmpty else { return try scanner.skipValue() }
        switch try scanner.kind() {
        case .object:
            try scanner.beginObject()
            while let key = try scanner.nextKey() {
                guard let child = find(key, node) else {
                    try scanner.skipValue()
                    continue
                }
                offsets[child] = base &+ scanner.offset
                try read(&scanner, base: base, into: &offsets, node: child)
            }
        case .array:
            var index = 0
            try scanner.beginArray()
            while try scanner.nextElement() {
                if let child = find(index, node) {
                    offsets[child] = base &+ scanner.offset
                    try read(&scanner, base: base, into: &offsets, node: child)
                } else {
                    try scanner.skipValue()
                }
                index &+= 1
            }
        case .string, .number, .bool, .null: try scanner.skipValue()
        }
    }

    private func find(_ index: Int, _ node: Int) -> Int? {
        for at in children[node].indices where children[node][at].index == index { return children[node][at].node }
        return nil
    }

    private func find(_ key: JSONText, _ node: Int) -> Int? {
        for at in children[node].indices where key.equals(children[node][at].name) { return children[node][at].node }
        return nil
    }
}

extension JSONText {
    /// Whether the text, escapes resolved, is these bytes.
    func equals(_ bytes: [UInt8]) -> Bool {
        guard hasEscapes else {
            guard raw.count == bytes.count else { return false }
            for at in 0..<raw.count where raw[at] != bytes[at] { return false }
            return true
        }
        var at = 0
        var isSame = true
        forEachByte { byte in
            isSame = isSame && at < bytes.count && bytes[at] == byte
            at += 1
        }
        return isSame && at == bytes.count
    }
}
