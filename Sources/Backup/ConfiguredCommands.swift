import JSON

/// The programs of a configuration that a gateway starts: those of sources, sinks and services.
enum ConfiguredCommands {
    /// The key of a program and its arguments.
    private static let key = "command"

    /// Whether there are any in the text of a configuration.
    static func are(in text: String) -> Bool {
        guard let value = try? JSONValue(json5: text) else { return false }
        return are(in: value)
    }

    private static func are(in value: JSONValue) -> Bool {
        switch value {
        case .object(let fields):
            fields.contains { name, value in name == key && isProgram(value) || are(in: value) }
        case .array(let elements): elements.contains { are(in: $0) }
        default: false
        }
    }

    /// A person or a sink can have the name, too.
    private static func isProgram(_ value: JSONValue) -> Bool {
        switch value {
        case .array, .string: true
        default: false
        }
    }
}
