public import HealthModel

/// A value of the configuration together with its key path, read strictly.
///
/// Every accessor throws a ``ConfigurationError`` that names the key path when the value is of
/// another kind, out of range or not one of the known words.
public struct ConfigurationNode: Hashable, Sendable {
    /// The key path, `sinks.repository.url`; empty for the root.
    public let path: String
    /// The value as it stands in the file.
    public let value: ConfigurationValue
    /// The types that a name in it can mean; the nodes within have the same.
    public let types: QuantityTypes

    /// Makes a node from its key path and its value.
    public init(path: String, value: ConfigurationValue, types: QuantityTypes = .standard) {
        self.path = path
        self.value = value
        self.types = types
    }

    /// The same value, in which names can mean these types.
    public func knowing(_ types: QuantityTypes) -> ConfigurationNode {
        ConfigurationNode(path: path, value: value, types: types)
    }

    /// An error about this value.
    public func error(_ problem: String) -> ConfigurationError {
        ConfigurationError(path: path, problem: problem)
    }

    private func expected(_ what: String) -> ConfigurationError {
        error("expected \(what), found \(value.kind)")
    }

    /// The value as a string that is not empty.
    public func string() throws(ConfigurationError) -> String {
        guard case .string(let string) = value else { throw expected("a string") }
        guard !string.isEmpty else { throw error("must not be empty") }
        return string
    }

    /// The value as true or false.
    public func boolean() throws(ConfigurationError) -> Bool {
        guard case .boolean(let boolean) = value else { throw expected("true or false") }
        return boolean
    }

    /// The value as a finite number.
    public func number() throws(ConfigurationError) -> Double {
        guard case .number(let number) = value else { throw expected("a number") }
        guard number.isFinite else { throw error("must be a finite number") }
        return number
    }

    /// The value as a whole number within a range.
    public func integer(in range: ClosedRange<Int>) throws(ConfigurationError) -> Int {
        guard let integer = Int(exactly: try number()), range.contains(integer) else {
            throw error(
                "must be a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return integer
    }

    /// The value as one of the known words.
    public func choice(of words: [String]) throws(ConfigurationError) -> String {
        let word = try string()
        guard let known = words.first(where: { $0 == word }) else {
            throw error(
                "`\(word)` is unknown; \(Suggestion.message(unknown: word, known: words))")
        }
        // As it is spelled there: a letter can be written in several ways.
        return known
    }

    /// The type of this name, which the value or its key is.
    public func quantityType(named name: String) throws(ConfigurationError) -> QuantityType {
        guard let type = types.named(name) else {
            let suggestion = Suggestion.message(
                unknown: name, known: types.all.map(\.name))
            throw error("unknown type `\(name)`; \(suggestion)")
        }
        return type
    }

    /// The type of this name, of a quantity, a category, a correlation or a workout.
    public func recordType(named name: String) throws(ConfigurationError) -> RecordType {
        if let type = RecordType.other(named: name) { return type }
        guard let type = types.named(name) else {
            let suggestion = Suggestion.message(
                unknown: name, known: types.all.map(\.name) + RecordType.otherNames)
            throw error("unknown type `\(name)`; \(suggestion)")
        }
        return .quantity(type)
    }

    /// The value as a list.
    public func array() throws(ConfigurationError) -> [ConfigurationNode] {
        guard case .array(let array) = value else { throw expected("a list") }
        return array.enumerated().map { index, element in
            ConfigurationNode(path: "\(path)[\(index)]", value: element, types: types)
        }
    }

    /// The value as an object that holds no other keys than these.
    public func object(keys: [String]) throws(ConfigurationError) -> ConfigurationObject {
        let entries = try entries()
        for entry in entries where !keys.contains(entry.key) {
            throw entry.node.error(
                "unknown key; \(Suggestion.message(unknown: entry.key, known: keys))")
        }
        return ConfigurationObject(path: path, entries: entries)
    }

    /// The value as an object whose keys the user chooses, in alphabetical order.
    public func entries() throws(ConfigurationError) -> [(key: String, node: ConfigurationNode)] {
        guard case .object(let object) = value else { throw expected("an object") }
        return object.sorted { $0.key < $1.key }.map { key, value in
            let name = LogFormat.escaped(key)
            return (
                key,
                ConfigurationNode(
                    path: path.isEmpty ? name : "\(path).\(name)", value: value, types: types)
            )
        }
    }

    /// The value as the choice of a component: `{ use: "name", … }`, or just `"name"`.
    ///
    /// The name is not checked here. In the node that comes back it stands as `use` in any case.
    public func component() throws(ConfigurationError) -> (use: String, settings: ConfigurationNode)
    {
        if case .string = value {
            let use = try string()
            let settings = ConfigurationValue.object(["use": .string(use)])
            return (use, ConfigurationNode(path: path, value: settings, types: types))
        }
        guard let use = try entries().first(where: { $0.key == "use" })?.node else {
            throw error("the key `use` is missing: it names what this is")
        }
        return (try use.string(), self)
    }
}

/// An object of the configuration whose keys have been checked.
public struct ConfigurationObject: Sendable {
    /// The key path of the object.
    public let path: String
    private let nodes: [String: ConfigurationNode]

    init(path: String, entries: [(key: String, node: ConfigurationNode)]) {
        self.path = path
        nodes = Dictionary(uniqueKeysWithValues: entries.map { ($0.key, $0.node) })
    }

    /// The value of a key, `nil` when it is left out.
    public subscript(key: String) -> ConfigurationNode? { nodes[key] }

    /// The value of a key that must be there.
    public func require(_ key: String) throws(ConfigurationError) -> ConfigurationNode {
        guard let node = nodes[key] else {
            throw ConfigurationError(path: path, problem: "the key `\(key)` is missing")
        }
        return node
    }
}
