import Foundation
import GatewayCore
import GatewayTesting
import Glibc
import HTTPTesting
import Platform
import SQLiteStore
import Serial

/// Measures the maximum throughput of the complete gateway.
struct ThroughputBenchmark: Benchmark {
    /// Where the records go.
    enum Destination: String, CaseIterable {
        case json, influx, store

        /// The maximum CPU time of a sample, in microseconds.
        var goal: Double {
            switch self {
            case .json: 1.1
            case .influx: 1.5
            case .store: 3.5
            }
        }

        var lines: Int { self == .store ? 200_000 : 1_000_000 }
    }

    let destination: Destination

    var name: String {
        destination == .json ? "throughput" : "throughput-\(destination)"
    }

    var summary: String {
        switch destination {
        case .json:
            "lines on a terminal to a local HTTP server, vs. copying the bytes in a bare loop"
        case .influx: "the same in InfluxDB's line protocol"
        case .store: "lines on a terminal into the store, vs. a loop over a prepared statement"
        }
    }

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
        let pieces = StepLines.pieces(of: destination.lines)
        let turns = try await context.rounds.alternate {
            destination == .store ? try bareRows(context) : try await bare(pieces)
        } ours: {
            try await ours(pieces, context)
        }
        let rate: Figure.Goal? = destination == .json ? .value(.atLeast, 1_000_000) : nil
        return [
            Figure("samples", "samples/s", turns, goal: rate) { $0.cost.perSecond },
            Figure("CPU", "us/sample", turns, goal: .value(.atMost, destination.goal)) {
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
            context.command, in: "\(context.folder)/throughput", sinks: sink(for: server))
        let facts = gateway.process.facts
        let (cpu, wall) = (facts.cpuSeconds, Meter.wallSeconds)
        let count = destination.lines
        let peak = try await withThrowingTaskGroup(of: Int.self) { group in
            group.addTask { try await Self.peakBytes(of: facts) }
            try await Self.send(pieces, to: gateway.terminal)
            // The first line is a baseline, and the device's connection is a record.
            try await gateway.waitForDelivery(of: count)
            group.cancelAll()
            return try await group.next() ?? 0
        }
        let cost = Cost(
            count: count, seconds: Meter.wallSeconds - wall, cpuSeconds: facts.cpuSeconds - cpu)
        try gateway.end()
        return Run(cost: cost, peakBytes: peak)
    }

    private func sink(for server: ScriptedHTTPServer) -> String {
        let batch = "batch: { count: \(Self.batchCount) }"
        let url = server.url("/v1/samples")
        return destination == .store
            ? "out: { use: \"sqlite\", \(batch) }"
            : "out: { use: \"http\", url: \"\(url)\", format: \"\(destination)\", \(batch) }"
    }

    /// Inserts as many rows by a bare loop, in transactions of the same size.
    private func bareRows(_ context: BenchmarkContext) throws -> Run {
        let path = "\(context.folder)/throughput.sqlite"
        for suffix in ["", "-wal", "-shm"] { unlink(path + suffix) }
        _ = try SQLiteStore(path: path)
        let store = try BareStore(path: path)
        var strap = StrapRecords()
        let batches = try strap.batches(
            destination.lines / Self.batchCount + 1, of: Self.batchCount)
        let count = batches.count * Self.batchCount
        return Run(
            cost: try Meter.cost(of: count) { for batch in batches { try store.write(batch) } })
    }

    private func bare(_ pieces: [[UInt8]]) async throws -> Run {
        let terminal = try PseudoTerminal()
        defer { terminal.close() }
        let socket = try BareSocket()
        let start = Meter.wallSeconds
        async let sent: Void = Self.send(pieces, to: terminal)
        let (path, count) = (terminal.slavePath, destination.lines)
        var cost = try await BareReader.onThread {
            let output = [UInt8](repeating: UInt8(ascii: "x"), count: Self.bytesOut << 16)
            return try BareReader.cost(of: count, from: path) { lines in
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
