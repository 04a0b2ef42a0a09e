import BluetoothTesting
import GatewayCore
import GatewayTesting
import Glibc
import Platform

/// Measures the latency from a strap's notification to all clients of a tap.
struct LatencyBenchmark: Benchmark {
    let name = "latency"
    let summary = "20 straps at 1 Hz to 20 `tap --json`, vs. a bare signal and 20 sockets"

    private static let clients = 20
    /// The timeout after the last notification of a round, in seconds.
    private static let timeoutSeconds = 10.0
    private static let pollIntervalSeconds = 0.1

    func run(_ context: BenchmarkContext) async throws -> [Figure] {
        let relay = try await BareRelay(clients: Self.clients)
        let gateway = try await StrapGateway(
            context.command, in: "\(context.folder)/latency", clients: Self.clients)
        var round = 0
        let turns = try await context.rounds.alternate {
            try await Self.delays(of: round, at: relay.clients) { try await relay.send($0) }
        } ours: {
            defer { round += 1 }
            return try await Self.delays(of: round, at: gateway.clients) { beat in
                try await gateway.bluez.send(beat)
            }
        }
        try gateway.end()
        await relay.end()
        return [
            Figure("p50", "ms", turns, goal: .value(.atMost, 2)) { $0.percentile(0.5) },
            Figure("p99", "ms", turns, goal: .value(.atMost, 10)) { $0.percentile(0.99) },
            Figure("longest", "ms", turns) { $0.longest },
        ]
    }

    /// Sends the beats of a round and returns their latencies to all clients.
    private static func delays(
        of round: Int, at clients: LineClients,
        send: (StrapBeats.Beat) async throws -> Double
    ) async throws -> Delays {
        let beats = StrapBeats(round: round).beats
        let clock = SystemClock()
        let start = clock.now()
        _ = clients.drain()
        var sent: [StrapBeats.Beat: Double] = [:]
        for (number, beat) in beats.enumerated() {
            let next = Int64(number) * StrapBeats.nanosecondsBetween
            try await clock.sleep(until: start.adding(nanoseconds: next))
            sent[beat] = try await send(beat)
        }
        let end = clock.now().adding(seconds: timeoutSeconds)
        var pieces: [LineClients.Piece] = []
        while true {
            try await clock.sleep(seconds: pollIntervalSeconds)
            pieces += clients.drain()
            let delays = milliseconds(pieces, since: sent)
            let missing = beats.first { delays[$0, default: []].count != Self.clients }
            guard let missing else { return Delays(milliseconds: delays.values.flatMap { $0 }) }
            guard clock.now() < end else {
                throw BenchmarkError(
                    "\(missing) reached only \(delays[missing, default: []].count) clients")
            }
        }
    }

    private static func milliseconds(
        _ pieces: [LineClients.Piece], since sent: [StrapBeats.Beat: Double]
    ) -> [StrapBeats.Beat: [Double]] {
        var rests: [Int: [UInt8]] = [:]
        var delays: [StrapBeats.Beat: [Double]] = [:]
        for piece in pieces {
            // A line in two reads is received with the second one.
            let bytes = rests[piece.client, default: []] + piece.bytes
            let end = bytes.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
            rests[piece.client] = Array(bytes[end...])
            for line in bytes[..<end].split(separator: UInt8(ascii: "\n")) {
                guard let beat = StrapBeats.beat(of: line), let time = sent[beat] else { continue }
                delays[beat, default: []].append((piece.seconds - time) * 1_000)
            }
        }
        return delays
    }
}

extension FakeBlueZ {
    /// Makes a strap notify a beat and returns the time on the monotonic clock, in seconds.
    fileprivate func send(_ beat: StrapBeats.Beat) throws -> Double {
        let seconds = Meter.wallSeconds
        guard notify(StrapBeats.address(beat.strap), StrapBeats.value(beat)) else {
            throw BenchmarkError("strap \(beat.strap) has no subscriber")
        }
        return seconds
    }
}

/// The latencies of lines.
struct Delays {
    private let sorted: [Double]

    /// Makes a collection of at least one latency in milliseconds.
    init(milliseconds: [Double]) {
        precondition(!milliseconds.isEmpty, "nothing was measured")
        sorted = milliseconds.sorted()
    }

    /// The latency that a fraction of the lines does not exceed.
    func percentile(_ part: Double) -> Double {
        let rank = Int((part * Double(sorted.count)).rounded(.up))
        return sorted[min(max(rank, 1), sorted.count) - 1]
    }

    var longest: Double { percentile(1) }
}
