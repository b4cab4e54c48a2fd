extension ProviderConfiguration {
    /// Reads a file.
    /// - Throws: `FeedError` of kind `input`, one sentence.
    public init(file path: String) throws(FeedError) {
        let name = path.split(separator: "/").last.map(String.init) ?? path
        let bytes = try SmallFile.bytes(
            of: path, called: "The configuration", most: ProviderConfigurationReader.mostBytes)
        self = try ProviderConfigurationReader(name: name).read(bytes)
    }
}
