import Foundation
import GatewayCore
import Glibc
import Platform

/// A gateway process with simulated straps that send once a second, and a store.
final class SensorGateway {
    /// The timeout of every wait, sufficient for a busy machine.
    private static let timeoutSeconds = 120.0
    private static let pollIntervalSeconds = 0.2

    private let process: MeasuredProcess
    private let folder: String
    private let clock = SystemClock()

    /// Starts a gateway, and returns when all straps are connected.
    init(_ command: String, in folder: String, straps count: Int) async throws {
        self.folder = folder
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true)
        let configuration = """
            {
              dataDirectory: "\(folder)/data",
              sources: { sim: { use: "simulator", devices: { heartRateStrap: \(count) }, seed: 1 } },
              sinks: { store: { use: "sqlite" } },
            }
            """
        let path = "\(folder)/pulsegate.json5"
        try configuration.write(toFile: path, atomically: false, encoding: .utf8)
        process = try MeasuredProcess(
            [command, "run", "--config", path], output: "/dev/null", error: "\(folder)/log")
        try await waitForLinks(count)
    }

    /// The resource usage of the gateway.
    var facts: ProcessFacts { process.facts }

    /// The number of records that the gateway has published.
    var publishedCount: Int {
        get throws {
            guard let status = try status else { throw BenchmarkError("the gateway ended early") }
            return status.ledger.published
        }
    }

    /// Stops the gateway with SIGTERM.
    func end() throws {
        _ = try process.end(with: SIGTERM)
        try FileManager.default.removeItem(atPath: folder)
    }

    private var status: GatewayStatus? {
        get throws { try ControlSocket.status(at: "\(folder)/data/control.sock") }
    }

    private func waitForLinks(_ count: Int) async throws {
        let end = clock.now().adding(seconds: Self.timeoutSeconds)
        while clock.now() < end, process.isRunning {
            if let status = try status, status.devices.filter({ $0.link == "live" }).count == count
            {
                return
            }
            try await clock.sleep(seconds: Self.pollIntervalSeconds)
        }
        let log = (try? ProcessFacts.text(of: "\(folder)/log")) ?? ""
        throw BenchmarkError("the gateway did not connect \(count) straps; log: \(log)")
    }
}
