import GatewayCore
import GatewayTesting
import Glibc
import HTTPTesting
import Platform
import Serial

/// Measures idle gateways with a silent device.
struct IdleBenchmark: Benchmark {
    let name = "idle"
    let summary = "a gateway with a silent port, a store and an HTTP sink, vs. cat on such a port"

    /// The time until the work after the start is finished, the last of which saves the positions of sinks.
    private static let settlingSeconds = Journal.saveDelaySeconds + 1
    private static let seconds = 30.0

    /// Measures all rounds in parallel, because idle processes do not disturb each other.
    func run(_ context: BenchmarkContext) async throws -> [Figure] {
        let server = try ScriptedHTTPServer(recordsRequests: false)
        var gateways: [RunningGateway] = []
        var terminals: [PseudoTerminal] = []
        var cats: [MeasuredProcess] = []
        for number in 0..<context.rounds.count {
            let url = server.url("/v1/samples")
            gateways.append(
                try await RunningGateway(
                    context.command, in: "\(context.folder)/idle\(number)",
                    sinks: "store: { use: \"sqlite\" }, out: { use: \"http\", url: \"\(url)\" }"))
            let terminal = try PseudoTerminal()
            cats.append(
                try MeasuredProcess(
                    ["/bin/cat"], input: terminal.slavePath, output: "/dev/null",
                    error: "/dev/null"))
            terminals.append(terminal)
        }
        let figures = try await figures(
            of: gateways.map(\.process.facts), comparedWith: cats.map(\.facts))
        for gateway in gateways { try gateway.end() }
        withExtendedLifetime(terminals) { cats.removeAll() }
        return figures
    }

    private func figures(
        of gateways: [ProcessFacts], comparedWith cats: [ProcessFacts]
    ) async throws -> [Figure] {
        let clock = SystemClock()
        try await clock.sleep(seconds: Self.settlingSeconds)
        let before = try (gateways + cats).map { try $0.wakeUps() }
        try await clock.sleep(seconds: Self.seconds)
        let after = try (gateways + cats).map { try $0.wakeUps() }
        let wakeUps = zip(after, before).map { Double($0 - $1) / Self.seconds }
        let bytes = try (gateways + cats).map { Double(try $0.privateBytes()) / 1e6 }
        return [
            figure("wake-ups", "/s", wakeUps, gateways.count, goal: .value(.atMost, 0.1)),
            figure("private memory", "MB", bytes, gateways.count, goal: .value(.atMost, 8)),
        ]
    }

    private func figure(
        _ name: String, _ unit: String, _ values: [Double], _ count: Int, goal: Figure.Goal
    ) -> Figure {
        let (ours, bare) = (median(Array(values[..<count])), median(Array(values[count...])))
        return Figure(
            name, unit, ours, reference: bare, ratio: bare > 0 ? ours / bare : nil, goal: goal)
    }
}
