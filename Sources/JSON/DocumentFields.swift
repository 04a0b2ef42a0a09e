/// The fields of an object that may have unknown keys.
package struct DocumentFields {
    package let nodes: [String: DocumentNode]

    package init(_ node: DocumentNode) throws(JSONError) {
        nodes = Dictionary(
            try node.entries().map { ($0.key, $0.node) }, uniquingKeysWith: { first, _ in first })
    }

    package func text(_ key: String) throws(JSONError) -> String? {
        guard let node = nodes[key] else { return nil }
        if node.value == .string("") { return "" }
        return try node.string()
    }

    package func number(_ key: String) throws(JSONError) -> Double? {
        try nodes[key]?.number()
    }

    /// A whole number; 0 when it is missing.
    package func count(_ key: String) throws(JSONError) -> Int64 {
        guard let node = nodes[key] else { return 0 }
        return Int64(try node.integer(in: 0...Int.max))
    }

    /// Whether the object has the key.
    package func has(_ key: String) -> Bool { nodes[key] != nil }

    /// A list of numbers; empty when it is missing.
    /// - Throws: when it has more than `limit` numbers.
    package func numbers(_ key: String, most limit: Int) throws(JSONError) -> [Double] {
        guard let list = nodes[key] else { return [] }
        let nodes = try list.array()
        guard nodes.count <= limit else { throw list.error("must have at most \(limit) numbers") }
        var numbers: [Double] = []
        for node in nodes { numbers.append(try node.number()) }
        return numbers
    }

    package func flag(_ key: String) throws(JSONError) -> Bool? {
        try nodes[key]?.boolean()
    }

    package func counts(_ key: String) throws(JSONError) -> [String: Int64] {
        var counts: [String: Int64] = [:]
        for (name, node) in try nodes[key]?.entries() ?? [] {
            counts[name] = Int64(try node.integer(in: 0...Int.max))
        }
        return counts
    }

    package func texts(_ key: String) throws(JSONError) -> [String] {
        var texts: [String] = []
        for node in try nodes[key]?.array() ?? [] { texts.append(try node.string()) }
        return texts
    }

    package func object<Value>(
        _ key: String, _ read: (DocumentFields) throws(JSONError) -> Value
    ) throws(JSONError) -> Value? {
        guard let node = nodes[key] else { return nil }
        return try read(DocumentFields(node))
    }

    package func objects<Value>(
        _ key: String, _ read: (DocumentFields) throws(JSONError) -> Value
    ) throws(JSONError) -> [Value] {
        var values: [Value] = []
        for node in try nodes[key]?.array() ?? [] { values.append(try read(DocumentFields(node))) }
        return values
    }
}
