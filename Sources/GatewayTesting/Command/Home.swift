import Foundation

/// A user's home directory for one test, in which the built command runs.
public struct Home: Sendable {
    /// The result of a run.
    public struct Outcome: Sendable {
        /// How it ended.
        public let ending: RunningCommand.Ending
        /// What it printed on standard output.
        public let output: String
        /// What it printed on standard error.
        public let error: String

        /// Makes a result.
        public init(ending: RunningCommand.Ending, output: String, error: String) {
            self.ending = ending
            self.output = output
            self.error = error
        }
    }

    /// The folder of the home directory, which is removed at the end.
    public let folder: TemporaryFolder
    /// The environment of the command.
    public var environment: [String: String]
    /// The name of another command beside the test bundle; nil for `pulsegate`.
    public var commandName: String?

    /// Makes an empty home directory.
    public init() throws {
        folder = try TemporaryFolder()
        environment = [
            "HOME": folder.path, "XDG_CONFIG_HOME": folder.path("config"),
            "XDG_DATA_HOME": folder.path("data"), "TZ": "UTC", "TERM": "xterm",
            "PATH": "/usr/bin:/bin",
        ]
    }

    /// The default path of the configuration.
    public var configurationPath: String { folder.path("config/pulsegate/pulsegate.json5") }
    /// The default data directory.
    public var dataDirectory: String { folder.path("data/pulsegate") }

    /// Writes the configuration.
    public func configure(_ text: String) throws {
        try folder.makeFolder("config/pulsegate")
        try folder.write(Array(text.utf8), to: "config/pulsegate/pulsegate.json5")
    }

    /// The path of the built command beside the test bundle, or of the one in `PULSEGATE_COMMAND`.
    public static func commandPath(named name: String? = nil) throws -> String {
        if name == nil, let path = ProcessInfo.processInfo.environment["PULSEGATE_COMMAND"] {
            return path
        }
        let bundle = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let path = URL(fileURLWithPath: bundle).deletingLastPathComponent()
            .appendingPathComponent(name ?? "pulsegate").path
        guard FileManager.default.isExecutableFile(atPath: path) else {
            throw RunningCommand.Failure(description: "there is no command at \(path)")
        }
        return path
    }

    /// Starts the command.
    public func start(
        _ words: String..., output: RunningCommand.OutputKind = .pipe, prefix: [String] = [],
        blockedSignals: [Int32] = []
    ) throws -> RunningCommand {
        try start(words, output: output, prefix: prefix, blockedSignals: blockedSignals)
    }

    /// Runs the command until it ends by itself.
    public func run(_ words: String..., prefix: [String] = []) async throws -> Outcome {
        try await run(words, prefix: prefix)
    }

    /// Runs the command until it ends by itself.
    public func run(_ words: [String], prefix: [String] = []) async throws -> Outcome {
        let command = try start(words, output: .pipe, prefix: prefix)
        let ending = try await command.waitForEnd()
        return Outcome(
            ending: ending, output: await command.text(of: .output),
            error: await command.text(of: .error))
    }

    /// Runs the command until it has printed `count` lines that contain `text`, and stops it.
    ///
    /// A test of what a run prints uses it in place of `--for`, which a slow machine spends on
    /// the start.
    public func run(
        _ words: String..., until text: String, count: Int = 1
    ) async throws -> Outcome {
        let command = try start(words, output: .pipe, prefix: [])
        try await command.waitForLines(count, with: text, on: .output)
        await command.send(SIGTERM)
        let ending = try await command.waitForEnd()
        return Outcome(
            ending: ending, output: await command.text(of: .output),
            error: await command.text(of: .error))
    }

    private func start(
        _ words: [String], output: RunningCommand.OutputKind, prefix: [String],
        blockedSignals: [Int32] = []
    ) throws -> RunningCommand {
        try RunningCommand(
            prefix + [Self.commandPath(named: commandName)] + words, in: folder,
            environment: environment,
            output: output, blockedSignals: blockedSignals)
    }
}
