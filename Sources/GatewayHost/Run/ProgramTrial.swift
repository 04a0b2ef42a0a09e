package import GatewayCore
package import HealthModel
import JSON
import Platform
import Readings
import Serial

/// What a program that is tried out is for the gateway.
package enum ProgramRole: String, CaseIterable, Sendable {
    /// It prints readings.
    case source
    /// It decodes the bytes of a device.
    case decoder
    /// It gets records.
    case sink

    /// The configuration with the program and what it needs beside it.
    package func configuration(
        _ command: [String], port: String?, types: QuantityTypes
    ) -> GatewayConfiguration {
        let program: [String: JSONValue] = [
            "use": .string("exec"), "command": .array(command.map { .string($0) }),
        ]
        var configuration = GatewayConfiguration()
        configuration.types = types
        configuration.sinks = []
        switch self {
        case .source:
            configuration.sources = [Self.component("program", program, types)]
        case .decoder:
            let settings: [String: JSONValue] = [
                "use": .string("serial"), "port": .object(["path": .string(port ?? "")]),
                "protocol": .object(program),
            ]
            configuration.sources = [Self.component("program", settings, types)]
        case .sink:
            let settings: [String: JSONValue] = ["use": .string("simulator"), "seed": .number(1)]
            configuration.sources = [Self.component("simulator", settings, types)]
            configuration.sinks = [Self.component("program", program, types)]
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
}

/// A simulated device on a pseudo-terminal that sends its bytes once.
package struct TrialDevice: Sendable {
    private let terminal: PseudoTerminal
    private let bytes: [UInt8]

    /// Makes a device that sends these bytes.
    package init(_ bytes: [UInt8]) throws(HostError) {
        self.bytes = bytes
        do throws(SerialError) { terminal = try PseudoTerminal() } catch {
            throw HostError(.failure, "\(error)")
        }
    }

    /// The path of its port.
    package var portPath: String { terminal.slavePath }

    /// Sends the bytes as fast as they are read.
    package func send() async { try? await terminal.send(bytes) }

    /// Unplugs the device.
    package func close() { terminal.close() }
}

extension Trial {
    /// The problems of the program, each with what to do where that is known.
    package func findings(_ role: ProgramRole) -> [String] {
        let own =
            role == .sink
            ? Self.undelivered(ledger)
            : Self.discarded(status) + Self.rejected(status) + Self.nothing(counts)
        return Self.failures(status) + own
    }

    private static func failures(_ status: GatewayStatus) -> [String] {
        status.sources.compactMap(\.failure) + status.sinks.compactMap(\.failure)
    }

    private static func discarded(_ status: GatewayStatus) -> [String] {
        // What came before the first line with a device is of the source.
        let inputs =
            status.sources.map { (name: $0.name, drops: $0.discarded) }
            + status.devices.map { (name: $0.identifier, drops: $0.drops) }
        let drops = Dictionary(inputs.map { ($0.name, $0.drops) }) {
            $0.merging($1, uniquingKeysWith: +)
        }
        return drops.sorted { $0.key < $1.key }.flatMap { name, counts in
            counts.sorted { $0.key.rawValue < $1.key.rawValue }.map { reason, count in
                "\(name): \(count) lines or packets discarded: \(reason.rawValue)"
            }
        }
    }

    private static func rejected(_ status: GatewayStatus) -> [String] {
        status.devices.flatMap { device in
            device.faults.counts.map { key, count in
                "\(device.identifier): \(count) readings of \(key.stream) rejected: \(key.fault.rawValue)"
            }
        }
    }

    private static func undelivered(_ ledger: Ledger) -> [String] {
        guard let sink = ledger.sinks["program"] else { return [] }
        let answered = sink.outcome.filtered + sink.outcome.delivered + sink.outcome.rejected
        let unanswered = ledger.ingest.published - sink.start - answered
        var findings: [String] = []
        if sink.outcome.rejected > 0 {
            findings.append("\(sink.outcome.rejected) records rejected by the program")
        }
        if unanswered > 0 {
            findings.append(
                "\(unanswered) records without an answer; print {\"ack\":N} for each batch N")
        }
        return findings
    }

    private static func nothing(_ counts: [String: Int]) -> [String] {
        guard counts.allSatisfy({ $0.key == "event" }) else { return [] }
        return ["no sample; print readings, and flush the standard output after each line"]
    }
}
