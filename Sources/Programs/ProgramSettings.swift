package import GatewayCore
import JSON

/// The settings of a program: its command, environment and working directory.
package struct ProgramSettings: Sendable {
    /// The keys.
    package static let keys = ["command", "environment", "directory"]
    private static let argumentLimit = 64
    private static let variableLimit = 64
    private static let textLimit = 4_096

    /// The key path of the command.
    let path: String
    /// The program and its arguments.
    let arguments: [String]
    /// The variables beside those of the gateway.
    let variables: [String: String]
    /// The working directory; nil for the data directory.
    let directory: String?

    /// Reads the settings of a source, decoder or sink.
    package init(_ object: ConfigurationObject) throws(ConfigurationError) {
        let variables = try object["environment"].map(Self.variables) ?? [:]
        let directory = try object["directory"].map(Self.text)
        try self.init(
            command: object.require("command"), variables: variables, directory: directory)
    }

    /// Reads the command of a program that has no other settings: it and its arguments, without a shell.
    package init(command: ConfigurationNode) throws(ConfigurationError) {
        try self.init(command: command, variables: [:], directory: nil)
    }

    private init(
        command: ConfigurationNode, variables: [String: String], directory: String?
    ) throws(ConfigurationError) {
        path = command.path
        self.variables = variables
        self.directory = directory
        var arguments: [String] = []
        for node in try command.array() { arguments.append(try Self.text(node)) }
        guard let program = arguments.first, !program.isEmpty, arguments.count <= Self.argumentLimit
        else {
            throw command.error(
                "must be a list of 1 to \(Self.argumentLimit) strings, the program and its arguments"
            )
        }
        self.arguments = arguments
    }

    private static func text(_ node: ConfigurationNode) throws(ConfigurationError) -> String {
        let text = try node.string()
        guard !text.utf8.contains(0), text.utf8.count <= textLimit else {
            throw node.error("must be up to \(textLimit) bytes without a null character")
        }
        return text
    }

    private static func variables(
        _ node: ConfigurationNode
    ) throws(ConfigurationError) -> [String: String] {
        let entries = try node.entries()
        guard entries.count <= variableLimit else {
            throw node.error("must have up to \(variableLimit) variables")
        }
        var variables: [String: String] = [:]
        for (name, value) in entries {
            guard !name.isEmpty, !name.contains("="), !name.utf8.contains(0) else {
                throw value.error(
                    "the name of a variable must not be empty, or contain `=` or a null character")
            }
            variables[name] = try text(value)
        }
        return variables
    }
}
