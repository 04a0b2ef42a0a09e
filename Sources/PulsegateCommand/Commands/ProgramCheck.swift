import GatewayCore
import GatewayHost
import HealthModel
import JSON
import Platform
import Readings
import Serial
import Synchronization
import Terminal

/// `pulsegate check --exec`: runs a program for some seconds, and shows what the gateway makes of it.
struct ProgramCheck {
    /// What the program is for the gateway.
    enum Role: String, CaseIterable {
        case source, decoder, sink
    }

    private static let defaultSeconds = 5.0
    private static let inputLimit = 1 << 20

    let call: Subcommand.Call
    let command: String

    func run() async throws(HostError) -> ExitStatus {
        let seconds = try call.arguments.seconds(of: "--for") ?? Self.defaultSeconds
        let input = try call.arguments.value(of: "--input").map { path throws(HostError) in
            try BinaryFile.read(path, limit: Self.inputLimit)
        }
        let role = try role(hasInput: input != nil)
        let words = [command] + call.arguments.operands
        let stop = StopSignal()
        stop.listen()
        let queue = LogOutput.queue(screen: nil)
        let warnings = Warnings()
        let log = LogOutput.logger(environment: call.environment, queue: queue)
        let clock = SystemClock()
        let host = GatewayHost(
            plugins: call.plugins, environment: call.environment, clock: clock,
            log: warnings.following(log), executor: call.executor)
        let device = try input.map { bytes throws(HostError) in try Device(bytes) }
        let configuration = try Self.configuration(
            role, words, port: device?.terminal.slavePath, types: call.files().types)
        let sending = OwnedTask(on: call.executor) { await device?.send() }
        let trial = try await host.tryOut(
            configuration, in: DataDirectory(relativePath: "."), seconds: seconds, until: stop)
        sending.cancel()
        device?.terminal.close()
        await queue.drain(seconds: GatewayRun.logSeconds, clock: clock)
        let report = ProgramReport(trial, of: role, warnings: warnings.count)
        try StandardStream.output.writeResult(report.text)
        return report.findings.isEmpty ? .success : .failure
    }

    private func role(hasInput: Bool) throws(HostError) -> Role {
        guard let word = call.arguments.value(of: "--as") else {
            return hasInput ? .decoder : .source
        }
        guard let role = Role(rawValue: word) else {
            throw HostError(
                .usage,
                "--as: `\(LogFormat.escaped(word))` must be source, decoder or sink")
        }
        guard (role == .decoder) == hasInput else {
            throw HostError(
                .usage,
                hasInput
                    ? "--input is for `--as decoder`"
                    : "a decoder needs the bytes of its device; add --input FILE")
        }
        return role
    }

    /// The configuration with the program and what it needs beside it.
    static func configuration(
        _ role: Role, _ command: [String], port: String?, types: QuantityTypes
    ) -> GatewayConfiguration {
        let program: [String: JSONValue] = [
            "use": .string("exec"), "command": .array(command.map { .string($0) }),
        ]
        var configuration = GatewayConfiguration()
        configuration.types = types
        configuration.sinks = []
        switch role {
        case .source:
            configuration.sources = [component("program", program, types)]
        case .decoder:
            let settings: [String: JSONValue] = [
                "use": .string("serial"), "port": .object(["path": .string(port ?? "")]),
                "protocol": .object(program),
            ]
            configuration.sources = [component("program", settings, types)]
        case .sink:
            let settings: [String: JSONValue] = ["use": .string("simulator"), "seed": .number(1)]
            configuration.sources = [component("simulator", settings, types)]
            configuration.sinks = [component("program", program, types)]
        }
        return configuration
    }

    /// Makes a component whose problems name `--exec`.
    private static func component(
        _ name: String, _ settings: [String: JSONValue], _ types: QuantityTypes
    ) -> GatewayConfiguration.Component {
        let use = if case .string(let use)? = settings["use"] { use } else { "" }
        return GatewayConfiguration.Component(
            name: name, use: use,
            settings: ConfigurationNode(path: "--exec", value: .object(settings), types: types))
    }

    /// A simulated device on a pseudo-terminal that sends the bytes of a file once.
    private struct Device: Sendable {
        let terminal: PseudoTerminal
        private let bytes: [UInt8]

        init(_ bytes: [UInt8]) throws(HostError) {
            self.bytes = bytes
            do throws(SerialError) { terminal = try PseudoTerminal() } catch {
                throw HostError(.failure, "\(error)")
            }
        }

        func send() async { try? await terminal.send(bytes) }
    }

    /// Counts the warnings and errors of a log.
    private final class Warnings: Sendable {
        private let state = Mutex(0)

        var count: Int { state.withLock { $0 } }

        func following(_ log: Logger) -> Logger {
            Logger(component: "check") { record in
                if record.level >= .warning { self.state.withLock { $0 += 1 } }
                log.write(record)
            }
        }
    }
}
