import GatewayCore
import HealthModel

/// The fields of an object of an answer.
struct AnswerFields {
    private let nodes: [String: ConfigurationNode]

    init(_ node: ConfigurationNode) throws(ConfigurationError) {
        nodes = Dictionary(
            try node.entries().map { ($0.key, $0.node) }, uniquingKeysWith: { first, _ in first })
    }

    func text(_ key: String) throws(ConfigurationError) -> String? {
        guard let node = nodes[key] else { return nil }
        if node.value == .string("") { return "" }
        return try node.string()
    }

    func number(_ key: String) throws(ConfigurationError) -> Double? {
        try nodes[key]?.number()
    }

    /// A whole number; 0 when it is missing.
    func count(_ key: String) throws(ConfigurationError) -> Int64 {
        guard let node = nodes[key] else { return 0 }
        return Int64(try node.integer(in: 0...Int.max))
    }

    /// Whether the key is there.
    func has(_ key: String) -> Bool { nodes[key] != nil }

    /// A list of numbers; empty when it is missing.
    /// - Throws: when it is longer than that.
    func numbers(_ key: String, most limit: Int) throws(ConfigurationError) -> [Double] {
        guard let list = nodes[key] else { return [] }
        let nodes = try list.array()
        guard nodes.count <= limit else { throw list.error("has more than \(limit) numbers") }
        var numbers: [Double] = []
        for node in nodes { numbers.append(try node.number()) }
        return numbers
    }

    func flag(_ key: String) throws(ConfigurationError) -> Bool? {
        try nodes[key]?.boolean()
    }

    func time(_ key: String) throws(ConfigurationError) -> Instant? {
        guard let node = nodes[key] else { return nil }
        guard let time = Instant(iso8601: try node.string()) else { throw node.error("no time") }
        return time
    }

    func counts(_ key: String) throws(ConfigurationError) -> [String: Int64] {
        var counts: [String: Int64] = [:]
        for (name, node) in try nodes[key]?.entries() ?? [] {
            counts[name] = Int64(try node.integer(in: 0...Int.max))
        }
        return counts
    }

    func texts(_ key: String) throws(ConfigurationError) -> [String] {
        var texts: [String] = []
        for node in try nodes[key]?.array() ?? [] { texts.append(try node.string()) }
        return texts
    }

    func object<Value>(
        _ key: String, _ read: (AnswerFields) throws(ConfigurationError) -> Value
    ) throws(ConfigurationError) -> Value? {
        guard let node = nodes[key] else { return nil }
        return try read(AnswerFields(node))
    }

    func objects<Value>(
        _ key: String, _ read: (AnswerFields) throws(ConfigurationError) -> Value
    ) throws(ConfigurationError) -> [Value] {
        var values: [Value] = []
        for node in try nodes[key]?.array() ?? [] { values.append(try read(AnswerFields(node))) }
        return values
    }
}
