import Foundation
import GatewayCore
import Platform
import Serial

/// Measures a gateway in which the adapters of four devices never return.
struct ContainmentBenchmark: Benchmark {
    let name = "containment"
    let summary = "status and stop beside four blocked adapters, vs. four that work"

    private static let ports = 4
    private static let requests = 200
    /// The pause between two requests.
    private static let pauseSeconds = 0.01
    /// The number of requests after which the steps are written.
    private static let requestsPerStep = 10

    /// The figures of one run.
    private struct Run {
        let status: Delays
        let stopSeconds: Double
    }

    func run(_ context: BenchmarkContext) async throws -> [Figure] {
        let command = try Self.command(beside: context.command)
        let turns = try await context.rounds.alternate {
            let pedometer = #"{ use: "lines", preset: "steps" }"#
            return try await Self.measure(command, context.folder, pedometer, areBlocked: false)
        } ours: {
            try await Self.measure(command, context.folder, "\"blocks\"", areBlocked: true)
        }
        return [
            Figure("status p50", "ms", turns) { $0.status.percentile(0.5) },
            Figure("status p99", "ms", turns) { $0.status.percentile(0.99) },
            Figure("status, longest", "ms", turns, goal: .value(.atMost, 1_000)) {
                $0.status.longest
            },
            Figure("SIGTERM to the end", "s", turns, goal: .value(.atMost, 5)) { $0.stopSeconds },
        ]
    }

    /// The command with wrong plugins, which is built for the end-to-end tests.
    private static func command(beside command: String) throws -> String {
        let path = "\(command)-wrong-plugins"
        guard FileManager.default.isExecutableFile(atPath: path) else {
            throw BenchmarkError(
                "\(path) is missing; build it with "
                    + "`swift build -c release --product pulsegate-wrong-plugins`")
        }
        return path
    }

    private static func measure(
        _ command: String, _ folder: String, _ serialProtocol: String, areBlocked: Bool
    ) async throws -> Run {
        let gateway = try await RunningGateway(
            command, in: "\(folder)/containment",
            protocols: [String](repeating: serialProtocol, count: ports),
            sinks: "store: { use: \"sqlite\" }")
        for port in gateway.others { try port.write(StepLines.line(1)) }
        if areBlocked { try await gateway.waitForProblems(ports) }
        var milliseconds: [Double] = []
        for number in 0..<requests {
            if number % requestsPerStep == 0 {
                try gateway.terminal.write(StepLines.line(number / requestsPerStep))
            }
            let start = Meter.wallSeconds
            guard try ControlSocket.reply(at: gateway.socket) != nil else {
                throw BenchmarkError("the gateway did not reply to request \(number)")
            }
            milliseconds.append((Meter.wallSeconds - start) * 1_000)
            try await SystemClock().sleep(seconds: pauseSeconds)
        }
        let start = Meter.wallSeconds
        try gateway.end()
        return Run(
            status: Delays(milliseconds: milliseconds), stopSeconds: Meter.wallSeconds - start)
    }
}
