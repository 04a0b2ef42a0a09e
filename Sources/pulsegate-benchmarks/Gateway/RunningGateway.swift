import Foundation
import GatewayCore
import Glibc
import Platform
import Serial

/// A gateway process that reads from a simulated text pedometer, and perhaps from other ports.
final class RunningGateway {
    /// The timeout of every wait, sufficient for a busy machine.
    private static let timeoutSeconds = 120.0
    /// The interval between status queries, which use CPU time of the gateway too.
    private static let pollIntervalSeconds = 0.05

    let terminal: PseudoTerminal
    /// The other ports.
    let others: [PseudoTerminal]
    let process: MeasuredProcess
    private let folder: String
    private let clock = SystemClock()

    /// Starts a gateway with sinks in configuration syntax, and waits until its devices are connected
    /// and every sink has processed these events.
    ///
    /// - Parameter protocols: The protocols of the other ports.
    init(
        _ command: String, in folder: String, protocols: [String] = [], sinks: String
    ) async throws {
        self.folder = folder
        terminal = try PseudoTerminal()
        others = try protocols.map { _ in try PseudoTerminal() }
        let ports = zip(others, protocols).enumerated().map { number, port in
            "port\(number): { use: \"serial\", port: { path: \"\(port.0.slavePath)\" }, "
                + "protocol: \(port.1) },"
        }
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true)
        let configuration = """
            {
              dataDirectory: "\(folder)/data",
              sources: {
                foot: { use: "serial", port: { path: "\(terminal.slavePath)" },
                        protocol: { use: "lines", preset: "steps" } },
                \(ports.joined(separator: "\n"))
              },
              sinks: { \(sinks) },
            }
            """
        try configuration.write(
            toFile: "\(folder)/pulsegate.json5", atomically: false, encoding: .utf8)
        process = try MeasuredProcess(
            [command, "run", "--config", "\(folder)/pulsegate.json5"], output: "/dev/null",
            error: "\(folder)/log")
        let count = 1 + protocols.count
        try await wait { $0.devices.count { $0.link == "live" } == count }
        try await waitForDelivery(of: count)
    }

    /// The path of the control socket.
    var socket: String { "\(folder)/data/control.sock" }

    /// Waits until a number of sources have a problem.
    func waitForProblems(_ count: Int) async throws {
        try await wait { $0.sources.count { !$0.healthy } >= count }
    }

    /// Waits until every sink has delivered `count` records.
    func waitForDelivery(of count: Int) async throws {
        try await wait { status in
            status.ledger.published >= count && status.sinks.allSatisfy { $0.pending == 0 }
        }
        guard let status = try status, status.sinks.allSatisfy({ $0.delivered == count }) else {
            throw failure("did not deliver exactly \(count) records")
        }
    }

    /// Stops the gateway with SIGTERM.
    func end() throws {
        _ = try process.end(with: SIGTERM)
        for terminal in [terminal] + others { terminal.close() }
        try FileManager.default.removeItem(atPath: folder)
    }

    private var status: GatewayStatus? {
        get throws { try ControlSocket.status(at: socket) }
    }

    private func wait(until condition: (GatewayStatus) -> Bool) async throws {
        let end = clock.now().adding(seconds: Self.timeoutSeconds)
        while clock.now() < end {
            guard process.isRunning else { throw failure("ended") }
            if let status = try status, condition(status) { return }
            try await clock.sleep(seconds: Self.pollIntervalSeconds)
        }
        throw failure("did not reach the expected state in time")
    }

    private func failure(_ what: String) -> BenchmarkError {
        let log = (try? ProcessFacts.text(of: "\(folder)/log")) ?? ""
        return BenchmarkError("the gateway \(what); log: \(log)")
    }
}
