import Foundation
import GatewayCore
import GatewayTesting
import HealthModel
import HealthStore
import SQLiteJournal
import XCTest

/// A user's home for one test, and the built command run in it.
struct Home: Sendable {
    /// The unprivileged user of every Linux.
    static let nobody: uid_t = 65_534

    /// What came of a run.
    struct Outcome: Sendable {
        let ending: RunningCommand.Ending
        let output: String
        let error: String
    }

    let folder: TemporaryFolder
    var environment: [String: String]

    init() throws {
        folder = try TemporaryFolder()
        environment = [
            "HOME": folder.path, "XDG_CONFIG_HOME": folder.path("config"),
            "XDG_DATA_HOME": folder.path("data"), "TZ": "UTC", "TERM": "xterm",
            "PATH": "/usr/bin:/bin",
        ]
    }

    /// The configuration where it is usually looked for.
    var configurationPath: String { folder.path("config/pulsegate/pulsegate.json5") }
    /// Where the gateway keeps its data.
    var dataDirectory: String { folder.path("data/pulsegate") }

    /// Writes the configuration.
    func configure(_ text: String) throws {
        try folder.makeFolder("config/pulsegate")
        try folder.write(Array(text.utf8), to: "config/pulsegate/pulsegate.json5")
    }

    /// The built command, which lies beside the test bundle; or another, in `PULSEGATE_COMMAND`.
    static func commandPath() throws -> String {
        if let path = ProcessInfo.processInfo.environment["PULSEGATE_COMMAND"] { return path }
        let bundle = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let path = URL(fileURLWithPath: bundle).deletingLastPathComponent()
            .appendingPathComponent("pulsegate").path
        guard FileManager.default.isExecutableFile(atPath: path) else {
            throw RunningCommand.Failure(description: "there is no command at \(path)")
        }
        return path
    }

    /// Starts the command.
    func start(
        _ words: String..., output: RunningCommand.OutputKind = .pipe, prefix: [String] = [],
        blockedSignals: [Int32] = []
    ) throws -> RunningCommand {
        try start(words, output: output, prefix: prefix, blockedSignals: blockedSignals)
    }

    /// Runs the command until it ends by itself.
    func run(_ words: String..., prefix: [String] = []) async throws -> Outcome {
        try await run(words, prefix: prefix)
    }

    /// Runs the command until it ends by itself.
    func run(_ words: [String], prefix: [String] = []) async throws -> Outcome {
        let command = try start(words, output: .pipe, prefix: prefix)
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
            prefix + [Self.commandPath()] + words, in: folder, environment: environment,
            output: output, blockedSignals: blockedSignals)
    }

    /// The words before a command that let it run without any rights.
    ///
    /// - Throws: `XCTSkip` when the tests themselves have no right to do so.
    static func wordsForNobody() throws -> [String] {
        guard getuid() == 0, FileManager.default.isExecutableFile(atPath: "/usr/bin/setpriv")
        else { throw XCTSkip("needs root and setpriv") }
        return [
            "/usr/bin/setpriv", "--reuid=\(nobody)", "--regid=\(nobody)", "--clear-groups", "--",
        ]
    }
}

extension Home {
    /// All samples of a type in a store, the oldest first.
    static func samples(
        of type: QuantityType, inStoreAt path: String
    ) async throws -> [QuantitySample] {
        try await HealthStore(readingFrom: path).samples(matching: SampleQuery(type: type))
    }

    /// All samples of the gateway's own store.
    func samples(of type: QuantityType) async throws -> [QuantitySample] {
        try await Self.samples(of: type, inStoreAt: "\(dataDirectory)/health.sqlite")
    }

    /// All events of the gateway's own store.
    func events() async throws -> [DeviceEvent] {
        try await HealthStore(readingFrom: "\(dataDirectory)/health.sqlite").events()
    }

    /// The account in the gateway's journal; the gateway must have ended.
    func ledger() throws -> Ledger {
        try SQLiteJournalFile(path: "\(dataDirectory)/journal.sqlite", durability: .crash).ledger()
    }
}
