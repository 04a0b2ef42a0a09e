public import HealthModel
public import JSON

/// A value of the configuration together with its key path.
public typealias ConfigurationNode = JSONNode<ConfigurationContext>

/// An object of the configuration whose keys have been checked.
public typealias ConfigurationObject = JSONObject<ConfigurationContext>

/// What the readers of a configuration know beside it.
public struct ConfigurationContext: JSONContext {
    /// The types that a name can mean.
    public let types: QuantityTypes

    /// Makes a context of the known types.
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
    /// - Throws: ``ConfigurationError`` with the line and column where the text is wrong.
    public init(
        json5 text: String, types: QuantityTypes = .standard
    ) throws(ConfigurationError) {
        do throws(JSONError) {
            self.init(path: "", value: try JSONValue(json5: text), types: types)
        } catch {
            throw ConfigurationError(error)
        }
    }

    /// The types that a name in it can mean; the nodes within have the same.
    public var types: QuantityTypes { context.types }

    /// The same value, in which names can mean these types.
    public func knowing(_ types: QuantityTypes) -> ConfigurationNode {
        ConfigurationNode(path: path, value: value, types: types)
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

    /// The value as the choice of a component: `{ use: "name", … }`, or just `"name"`.
    ///
    /// The name is not checked here. In the node that comes back it stands as `use` in any case.
    public func component() throws(Context.Failure) -> (use: String, settings: ConfigurationNode) {
        if case .string = value {
            let use = try string()
            let settings = JSONValue.object(["use": .string(use)])
            return (use, ConfigurationNode(path: path, value: settings, types: types))
        }
        guard let use = try entries().first(where: { $0.key == "use" })?.node else {
            throw error("the key `use` is missing: it names what this is")
        }
        return (try use.string(), self)
    }
}
