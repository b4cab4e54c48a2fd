import ChartScene
import MarketModel

/// The kinds of studies there are, as JSON: what a menu and a settings form need. Made at the first call.
nonisolated(unsafe) private let catalogue: UnsafeMutableBufferPointer<UInt8> = {
    var json = TextBuffer()
    json.append("[")
    for kind in StudyKind.allCases {
        if json.bytes.count > 1 { json.append(",") }
        json.append(kind)
    }
    json.append("]")
    let memory = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: json.bytes.count)
    _ = memory.initialize(from: json.bytes)
    return memory
}()

/// Where the catalogue's UTF-8 is; `cw_study_catalogue_length` says how long it is. It stays there.
///
/// A list of `{"kind", "name", "title", "identifier", "isPrice", "source", "parameters": [{"name", "low", "high",
/// "standard", "isWhole"}], "outputs": [{"name", "form"}], "guides"}`; `source` is null where the formula leaves no
/// choice.
@_cdecl("cw_study_catalogue")
public func cw_study_catalogue() -> UnsafePointer<UInt8>? {
    UnsafePointer(catalogue.baseAddress)
}

@_cdecl("cw_study_catalogue_length")
public func cw_study_catalogue_length() -> Int32 {
    Int32(catalogue.count)
}

extension TextBuffer {
    fileprivate mutating func append(_ kind: StudyKind) {
        append("{\"kind\":")
        append(integer: UInt64(kind.rawValue))
        append(",\"name\":")
        append(quoted: kind.name)
        append(",\"title\":")
        append(quoted: kind.title)
        append(",\"identifier\":")
        append(quoted: kind.identifier)
        append(kind.placement == .price ? ",\"isPrice\":true" : ",\"isPrice\":false")
        append(",\"source\":")
        if let source = kind.defaultSource { append(integer: UInt64(source.rawValue)) } else { append("null") }
        append(",\"parameters\":[")
        let parameters = kind.parameters
        for index in parameters.indices {
            append(index > 0 ? ",{\"name\":" : "{\"name\":")
            append(quoted: parameters[index].name)
            append(",\"low\":")
            append(shortest: parameters[index].range.lowerBound, decimals: 6)
            append(",\"high\":")
            append(shortest: parameters[index].range.upperBound, decimals: 6)
            append(",\"standard\":")
            append(shortest: parameters[index].standard, decimals: 6)
            append(parameters[index].isWhole ? ",\"isWhole\":true}" : ",\"isWhole\":false}")
        }
        append("],\"outputs\":[")
        let outputs = kind.outputs
        for index in outputs.indices {
            append(index > 0 ? ",{\"name\":" : "{\"name\":")
            append(quoted: outputs[index].name)
            append(",\"form\":")
            append(integer: UInt64(outputs[index].form.rawValue))
            append("}")
        }
        append("],\"guides\":[")
        let guides = kind.guides
        for index in guides.indices {
            if index > 0 { append(",") }
            append(shortest: guides[index], decimals: 6)
        }
        append("]}")
    }

    /// Names have no character that JSON escapes.
    private mutating func append(quoted text: StaticString) {
        append("\"")
        append(text)
        append("\"")
    }
}
