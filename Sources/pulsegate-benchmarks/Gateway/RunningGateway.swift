import Foundation
import GatewayCore
import Glibc
import Platform
import Serial

/// The built command, reading a text pedometer that the benchmark plays.
final class RunningGateway {
    /// More than anything takes, also on a machine that does much else.
    private static let timeoutSeconds = 120.0
    /// So often it is asked how it is doing; asking costs it something, too.
    private static let askingSeconds = 0.05

    let terminal: PseudoTerminal
    let process: ChildProcess
    private let folder: String
    private let clock = SystemClock()

    /// Starts a gateway with these sinks, written as in a configuration, and waits until its device is
    /// connected and every sink has dealt with that.
    init(_ command: String, in folder: String, sinks: String) async throws {
        self.folder = folder
        terminal = try PseudoTerminal()
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true)
        let configuration = """
            {
              dataDirectory: "\(folder)/data",
              sources: {
                foot: { use: "serial", port: { path: "\(terminal.slavePath)" },
                        protocol: { use: "lines", preset: "steps" } },
              },
              sinks: { \(sinks) },
            }
            """
        try configuration.write(
            toFile: "\(folder)/pulsegate.json5", atomically: false, encoding: .utf8)
        process = try ChildProcess(
            [command, "run", "--config", "\(folder)/pulsegate.json5"], output: "/dev/null",
            error: "\(folder)/log")
        try await wait { $0.devices.contains { $0.link == "live" } }
        try await waitForDelivery(of: 1)
    }

    /// Waits until every sink has taken so many records.
    func waitForDelivery(of count: Int) async throws {
        try await wait { account in
            account.ledger.published >= count && account.sinks.allSatisfy { $0.pending == 0 }
        }
        guard let account = try account, account.sinks.allSatisfy({ $0.delivered == count }) else {
            throw failure("did not deliver exactly \(count) records")
        }
    }

    /// Ends it as an operator would.
    func end() throws {
        _ = try process.end(with: SIGTERM)
        terminal.close()
        try FileManager.default.removeItem(atPath: folder)
    }

    private var account: GatewayAccount? {
        get throws { try ControlSocket.account(at: "\(folder)/data/control.sock") }
    }

    private func wait(until isSo: (GatewayAccount) -> Bool) async throws {
        let end = clock.now().adding(seconds: Self.timeoutSeconds)
        while clock.now() < end {
            guard process.isRunning else { throw failure("ended") }
            if let account = try account, isSo(account) { return }
            try await clock.sleep(seconds: Self.askingSeconds)
        }
        throw failure("did not come so far")
    }

    private func failure(_ what: String) -> BenchmarkError {
        let log = (try? ProcessFacts.text(of: "\(folder)/log")) ?? ""
        return BenchmarkError("the gateway \(what); it said: \(log)")
    }
}
