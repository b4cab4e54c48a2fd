import Testing

/// The value of an expression that changes something, which `#require` cannot take apart.
func found<Value>(_ value: Value?, sourceLocation: SourceLocation = #_sourceLocation) throws -> Value {
    try #require(value, sourceLocation: sourceLocation)
}
