import GatewayTesting
import Glibc
import HealthModel
import JSON
import Platform
import Synchronization
import XCTest

@testable import Exec
@testable import GatewayCore
@testable import GatewayJournal

/// A folder with programs, and the sources of a gateway that run them.
struct ProgramFixture {
    let folder: TemporaryFolder
    let clock: any GatewayClock
    let log = LogLines()
    let poller = DescriptorPoller()

    init(clock: any GatewayClock = SystemClock()) throws {
        folder = try TemporaryFolder()
        self.clock = clock
    }

    /// The log lines as `level message key=value`.
    final class LogLines: Sendable {
        private let lines = Mutex<[String]>([])

        var all: [String] { lines.withLock { $0 } }

        func count(of words: String) -> Int { all.count { $0.contains(words) } }

        var logger: Logger {
            Logger(component: "test") { [self] record in
                let fields = record.fields.map { " \($0.key)=\($0.value)" }.joined()
                lines.withLock { $0.append("\(record.level) \(record.message)\(fields)") }
            }
        }
    }

    var context: ComponentContext {
        ComponentContext(
            name: "own", clock: clock, log: log.logger, dataDirectory: folder.path,
            environment: ["PATH": "/usr/local/bin:/usr/bin:/bin", "TOKEN": "secret"])
    }

    /// The settings that run a shell script, which finds the folder in `$0`.
    func settings(script: String, keys: [String: JSONValue] = [:]) -> ConfigurationNode {
        settings(command: ["sh", "-c", script, folder.path], keys: keys)
    }

    func settings(command: [String], keys: [String: JSONValue] = [:]) -> ConfigurationNode {
        var value = keys
        value["use"] = .string("exec")
        value["command"] = .array(command.map { .string($0) })
        return ConfigurationNode(path: "sources.own", value: .object(value))
    }

    func source(script: String) throws -> any Source {
        try ExecSource.factory.make(settings(script: script), context)
    }

    func source(command: [String]) throws -> any Source {
        try ExecSource.factory.make(settings(command: command), context)
    }

    /// Runs a gateway with these sources until `stop` returns, and returns its ledger.
    func run(
        _ sources: [String: any Source], into sink: any Sink,
        until stop: @Sendable () async -> Void
    ) async throws -> Ledger {
        try await run(sources, into: [sink], until: stop)
    }

    /// Runs a gateway with sinks that are named `sink 0`, `sink 1` and so on.
    func run(
        _ sources: [String: any Source], into sinks: [any Sink],
        until stop: @Sendable () async -> Void
    ) async throws -> Ledger {
        let sinks = sinks.enumerated().map {
            Gateway.NamedSink(name: "sink \($0.offset)", sink: $0.element)
        }
        let journal = try Journal(
            file: InMemoryJournalFile(), sinks: sinks.map(\.name), clock: clock, log: log.logger)
        let pipeline = IngestPipeline(
            bus: Bus(journal: journal, live: LiveLane()), clock: clock, people: People(),
            version: "1", log: log.logger)
        let gateway = Gateway(
            sources: sources.map { Gateway.NamedSource(name: $0.key, source: $0.value) },
            sinks: sinks, pipeline: pipeline, journal: journal, clock: clock, log: log.logger)
        return await gateway.run(until: stop)
    }

    /// The text of a file that a program has written; empty when there is none.
    func text(of name: String) -> String {
        let descriptor = open(folder.path(name), O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return "" }
        defer { close(descriptor) }
        var text: [UInt8] = []
        while case let (bytes, _) = SystemCall.read(descriptor, limit: 65_536), !bytes.isEmpty {
            text += bytes
        }
        return String(decoding: text, as: UTF8.self)
    }
}

extension InMemorySink {
    var samples: [QuantitySample] {
        records.compactMap { record in
            guard case .sample(let sample) = record else { return nil }
            return sample
        }
    }

    /// Waits until it has this many samples.
    func waitForSamples(_ count: Int) async {
        for await _ in counts where samples.count >= count { return }
    }
}
