public import HealthModel
public import JSON

/// A value of the configuration together with its key path.
public typealias ConfigurationNode = JSONNode<ConfigurationContext>

/// An object of the configuration whose keys have been checked.
public typealias ConfigurationObject = JSONObject<ConfigurationContext>

/// The context of reading a configuration.
public struct ConfigurationContext: JSONContext {
    /// The known types.
    public let types: QuantityTypes

    /// Makes a context with known types.
    public init(types: QuantityTypes = .standard) {
        self.types = types
    }

    /// The error for a key path.
    public static func failure(path: String, problem: String) -> ConfigurationError {
        ConfigurationError(path: path, problem: problem)
    }
}

extension JSONNode where Context == ConfigurationContext {
    /// Makes a node from its key path and its value.
    public init(path: String, value: JSONValue, types: QuantityTypes = .standard) {
        self.init(path: path, value: value, context: ConfigurationContext(types: types))
    }

    /// Makes the root of a configuration from JSON5 text.
    ///
    /// - Throws: ``ConfigurationError`` with the line and column of the error.
    public init(
        json5 text: String, types: QuantityTypes = .standard
    ) throws(ConfigurationError) {
        do throws(JSONError) {
            self.init(path: "", value: try JSONValue(json5: text), types: types)
        } catch {
            throw ConfigurationError(error)
        }
    }

    /// The known types, also of the nodes within.
    public var types: QuantityTypes { context.types }

    /// Returns the same value with other known types.
    public func knowing(_ types: QuantityTypes) -> ConfigurationNode {
        ConfigurationNode(path: path, value: value, types: types)
    }

    /// Returns the quantity type with a name that is the value or its key.
    public func quantityType(named name: String) throws(ConfigurationError) -> QuantityType {
        guard let type = types.named(name) else {
            let suggestion = Suggestion.message(
                unknown: name, known: types.all.map(\.name))
            throw error("unknown type `\(name)`; \(suggestion)")
        }
        return type
    }

    /// Returns the quantity, category, correlation or workout type with a name.
    public func recordType(named name: String) throws(ConfigurationError) -> RecordType {
        if let type = RecordType.other(named: name) { return type }
        guard let type = types.named(name) else {
            let suggestion = Suggestion.message(
                unknown: name, known: types.all.map(\.name) + RecordType.otherNames)
            throw error("unknown type `\(name)`; \(suggestion)")
        }
        return .quantity(type)
    }

    /// Returns the value as a component: `{ use: "name", … }`, or just `"name"`.
    ///
    /// The name is not checked. The returned node always has the key `use`.
    public func component() throws(Context.Failure) -> (use: String, settings: ConfigurationNode) {
        if case .string = value {
            let use = try string()
            let settings = JSONValue.object(["use": .string(use)])
            return (use, ConfigurationNode(path: path, value: settings, types: types))
        }
        guard let use = try entries().first(where: { $0.key == "use" })?.node else {
            throw error("the key `use` is missing")
        }
        return (try use.string(), self)
    }
}
