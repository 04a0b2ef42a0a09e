import Platform

/// A value of a document with its key path, read strictly.
///
/// Every accessor throws the error of the context, which names the key path, when the value has
/// another kind, is out of range or is not one of the known values.
public struct JSONNode<Context: JSONContext>: Hashable, Sendable {
    /// The key path, `sinks.repository.url`; empty for the root.
    public let path: String
    /// The value in the document.
    public let value: JSONValue
    /// The additional values for its readers; nested nodes have the same context.
    public let context: Context

    /// Makes a node from its key path and its value.
    public init(path: String, value: JSONValue, context: Context) {
        self.path = path
        self.value = value
        self.context = context
    }

    /// An error about this value.
    public func error(_ problem: String) -> Context.Failure {
        Context.failure(path: path, problem: problem)
    }

    private func expected(_ what: String) -> Context.Failure {
        error("expected \(what), found \(value.kind)")
    }

    /// The value as a string that is not empty.
    public func string() throws(Context.Failure) -> String {
        guard case .string(let string) = value else { throw expected("a string") }
        guard !string.isEmpty else { throw error("must not be empty") }
        return string
    }

    /// The value as true or false.
    public func boolean() throws(Context.Failure) -> Bool {
        guard case .boolean(let boolean) = value else { throw expected("true or false") }
        return boolean
    }

    /// The value as a finite number.
    public func number() throws(Context.Failure) -> Double {
        guard case .number(let number) = value else { throw expected("a number") }
        guard number.isFinite else { throw error("must be a finite number") }
        return number
    }

    /// The value as a whole number within a range.
    public func integer(in range: ClosedRange<Int>) throws(Context.Failure) -> Int {
        guard let integer = Int(exactly: try number()), range.contains(integer) else {
            throw error(
                "must be a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return integer
    }

    /// The value as one of the known values.
    public func choice(of words: [String]) throws(Context.Failure) -> String {
        let word = try string()
        guard let known = words.first(where: { $0 == word }) else {
            throw error(Suggestion.unknown("value", word, known: words))
        }
        // In the spelling of the list: equal strings can have different bytes.
        return known
    }

    /// The value as a list.
    public func array() throws(Context.Failure) -> [JSONNode<Context>] {
        guard case .array(let array) = value else { throw expected("a list") }
        return array.enumerated().map { index, element in
            JSONNode(path: "\(path)[\(index)]", value: element, context: context)
        }
    }

    /// The value as an object with only these keys.
    public func object(keys: [String]) throws(Context.Failure) -> JSONObject<Context> {
        let entries = try entries()
        for entry in entries where !keys.contains(entry.key) {
            throw entry.node.error(
                "unknown key; \(Suggestion.message(unknown: entry.key, known: keys))")
        }
        return JSONObject(path: path, entries: entries)
    }

    /// The entries of an object with arbitrary keys, in alphabetical order.
    public func entries() throws(Context.Failure) -> [(key: String, node: JSONNode<Context>)] {
        guard case .object(let object) = value else { throw expected("an object") }
        return object.sorted { $0.key < $1.key }.map { key, value in
            let name = key.isEmpty ? "\"\"" : LogFormat.escaped(key)
            return (
                key,
                JSONNode(
                    path: path.isEmpty ? name : "\(path).\(name)", value: value, context: context)
            )
        }
    }
}

/// An object of a document with validated keys.
public struct JSONObject<Context: JSONContext>: Sendable {
    /// The key path of the object.
    public let path: String
    private let nodes: [String: JSONNode<Context>]

    init(path: String, entries: [(key: String, node: JSONNode<Context>)]) {
        self.path = path
        nodes = Dictionary(uniqueKeysWithValues: entries.map { ($0.key, $0.node) })
    }

    /// The value of a key; nil when it is missing.
    public subscript(key: String) -> JSONNode<Context>? { nodes[key] }

    /// The value of a required key.
    public func require(_ key: String) throws(Context.Failure) -> JSONNode<Context> {
        guard let node = nodes[key] else {
            throw Context.failure(path: path, problem: "the key `\(key)` is missing")
        }
        return node
    }
}
