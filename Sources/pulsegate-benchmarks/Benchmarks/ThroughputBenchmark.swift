import GatewayCore
import GatewayTesting
import Glibc
import HTTPTesting
import Platform
import Serial

/// Measures the maximum throughput of the complete gateway.
struct ThroughputBenchmark: Benchmark {
    let name = "throughput"
    let summary =
        "lines on a terminal to a local HTTP server, vs. copying the bytes in a bare loop"

    private static let lines = 1_000_000
    /// The approximate size of the line of JSON for a line of a pedometer.
    private static let bytesOut = 330
    /// The number of records in a request, as in a commit.
    private static let batchCount = 3_000
    private static let samplingSeconds = 0.05

    /// The result of a run.
    private struct Run {
        var cost: Cost
        var peakBytes = 0
    }

    func run(_ context: BenchmarkContext) async throws -> [Figure] {
        let pieces = StepLines.pieces(of: Self.lines)
        let turns = try await context.rounds.alternate {
            try await bare(pieces)
        } ours: {
            try await ours(pieces, context)
        }
        return [
            Figure("samples", "samples/s", turns, goal: .value(.atLeast, 500_000)) {
                $0.cost.perSecond
            },
            Figure("CPU", "us/sample", turns, goal: .value(.atMost, 2)) {
                $0.cost.cpuMicrosecondsEach
            },
            Figure(
                "private memory, peak", "MB", turns.medianOfOurs { Double($0.peakBytes) / 1e6 },
                goal: .value(.atMost, 32)),
        ]
    }

    private func ours(_ pieces: [[UInt8]], _ context: BenchmarkContext) async throws -> Run {
        let server = try ScriptedHTTPServer(recordsRequests: false)
        let gateway = try await RunningGateway(
            context.command, in: "\(context.folder)/throughput",
            sinks: """
                out: {
                    use: "http", url: "\(server.url("/v1/samples"))", format: "json",
                    batch: { count: \(Self.batchCount) },
                }
                """)
        let facts = gateway.process.facts
        let (cpu, wall) = (facts.cpuSeconds, Meter.wallSeconds)
        let peak = try await withThrowingTaskGroup(of: Int.self) { group in
            group.addTask { try await Self.peakBytes(of: facts) }
            try await Self.send(pieces, to: gateway.terminal)
            // The first line is a baseline, and the device's connection is a record.
            try await gateway.waitForDelivery(of: Self.lines)
            group.cancelAll()
            return try await group.next() ?? 0
        }
        let cost = Cost(
            count: Self.lines, seconds: Meter.wallSeconds - wall,
            cpuSeconds: facts.cpuSeconds - cpu)
        try gateway.end()
        return Run(cost: cost, peakBytes: peak)
    }

    private func bare(_ pieces: [[UInt8]]) async throws -> Run {
        let terminal = try PseudoTerminal()
        defer { terminal.close() }
        let socket = try BareSocket()
        let start = Meter.wallSeconds
        async let sent: Void = Self.send(pieces, to: terminal)
        let path = terminal.slavePath
        var cost = try await BareReader.onThread {
            let output = [UInt8](repeating: UInt8(ascii: "x"), count: Self.bytesOut << 16)
            return try BareReader.cost(of: Self.lines, from: path) { lines in
                try socket.send(output[..<(lines * Self.bytesOut)])
            }
        }
        try await sent
        cost.seconds = Meter.wallSeconds - start
        return Run(cost: cost)
    }

    private static func send(_ pieces: [[UInt8]], to terminal: PseudoTerminal) async throws {
        for piece in pieces { try await terminal.send(piece) }
    }

    /// Samples the private memory of a process until cancelled, and returns the maximum.
    private static func peakBytes(of facts: ProcessFacts) async throws -> Int {
        let clock = SystemClock()
        var peak = 0
        while !Task.isCancelled {
            peak = max(peak, try facts.privateBytes())
            try? await clock.sleep(seconds: samplingSeconds)
        }
        return peak
    }
}

/// Sends bytes over a local socket to a thread that discards them.
final class BareSocket: Sendable {
    private let descriptor: Int32
    private let reader: JoinableThread

    init() throws {
        var ends: [Int32] = [-1, -1]
        guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0 else {
            throw BenchmarkError("cannot make a socket: \(String(cString: strerror(errno)))")
        }
        let theirs = ends[1]
        descriptor = ends[0]
        reader = try JoinableThread(name: "socket") {
            var piece = [UInt8](repeating: 0, count: 1 << 20)
            while recv(theirs, &piece, piece.count, 0) > 0 {}
            close(theirs)
        }
    }

    deinit {
        close(descriptor)
        reader.join()
    }

    func send(_ bytes: ArraySlice<UInt8>) throws {
        try bytes.withUnsafeBytes { bytes in
            var rest = bytes[...]
            while !rest.isEmpty {
                let piece = UnsafeRawBufferPointer(rebasing: rest)
                let count = Glibc.send(
                    descriptor, piece.baseAddress, piece.count, Int32(MSG_NOSIGNAL))
                guard count > 0 else { throw BenchmarkError("the socket was closed") }
                rest = rest.dropFirst(count)
            }
        }
    }
}
