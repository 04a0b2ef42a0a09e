public import GatewayCore
public import JSON

extension SerialProtocolFactory {
    /// Makes the protocol that a configuration's `protocol` names: `"hxm"`, or
    /// `{ use: "lines", preset: "steps" }`.
    ///
    /// - Throws: ``ConfigurationError`` for an unknown protocol or invalid settings.
    public static func makeProtocol(
        _ node: ConfigurationNode, from factories: [SerialProtocolFactory]
    ) throws(ConfigurationError) -> any SerialProtocol {
        let (use, settings) = try node.component()
        guard let factory = factories.first(where: { $0.use == use }) else {
            let suggestion = Suggestion.message(unknown: use, known: factories.map(\.use))
            throw node.error("unknown protocol `\(use)`; \(suggestion)")
        }
        return try factory.make(settings)
    }
}
