import GatewayCore
import JSON

/// The fields of an answer of a gateway; fields that are not known are ignored.
struct AnswerFields {
    private let node: ConfigurationNode
    private let nodes: [String: ConfigurationNode]

    init(_ node: ConfigurationNode) throws(ConfigurationError) {
        self.node = node
        nodes = Dictionary(uniqueKeysWithValues: try node.entries().map { ($0.key, $0.node) })
    }

    subscript(key: String) -> ConfigurationNode? { nodes[key] }

    func require(_ key: String) throws(ConfigurationError) -> ConfigurationNode {
        guard let value = nodes[key] else { throw node.error("the key `\(key)` is missing") }
        return value
    }

    /// A list of strings; empty when it is missing.
    func strings(_ key: String) throws(ConfigurationError) -> [String] {
        var strings: [String] = []
        for node in try nodes[key]?.array() ?? [] { strings.append(try node.string()) }
        return strings
    }
}
