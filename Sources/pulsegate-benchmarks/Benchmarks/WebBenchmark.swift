import BluetoothTesting
import GatewayCore
import GatewayTesting
import Platform

/// Measures the latency from a strap's notification to the live events of all browsers, and the memory of
/// browsers that wait.
struct WebBenchmark: Benchmark {
    let name = "web"
    let summary = "20 straps at 1 Hz to 50 event streams, vs. a bare signal and 50 sockets"

    private static let clients = 50
    private static let idleClients = 1_000
    private static let idleSeconds = 30.0
    /// The timeout after the last notification of a round, in seconds.
    private static let timeoutSeconds = 10.0
    private static let pollIntervalSeconds = 0.1

    func run(_ context: BenchmarkContext) async throws -> [Figure] {
        try await latencies(context) + idle(context)
    }

    private func latencies(_ context: BenchmarkContext) async throws -> [Figure] {
        let relay = try await BareRelay(clients: Self.clients)
        let port = try EventClients.freePort()
        let gateway = try await StrapGateway(
            context.command, in: "\(context.folder)/web", clients: 0,
            further: EventClients.configuration(port: port))
        let streams = try EventClients.connect(Self.clients, port: port)
        try await gateway.wait { streams.lineCounts.allSatisfy { $0 > 0 } }
        var round = 0
        let turns = try await context.rounds.alternate {
            try await Self.delays(of: round, at: relay.clients, StrapBeats.beat) {
                try await relay.send($0)
            }
        } ours: {
            defer { round += 1 }
            return try await Self.delays(of: round, at: streams, EventClients.beat) { beat in
                let seconds = Meter.wallSeconds
                await gateway.bluez.notify(
                    StrapBeats.address(beat.strap), StrapBeats.value(beat))
                return seconds
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

    /// The memory and the wake-ups of clients that get nothing but comments.
    private func idle(_ context: BenchmarkContext) async throws -> [Figure] {
        let port = try EventClients.freePort()
        let gateway = try await StrapGateway(
            context.command, in: "\(context.folder)/idle", straps: 0, clients: 0,
            further: EventClients.configuration(port: port))
        let clock = SystemClock()
        try await gateway.wait { (try? EventClients.connect(1, port: port)) != nil }
        try await clock.sleep(seconds: 1)
        let before = try gateway.facts.residentBytes()
        let streams = try EventClients.connect(Self.idleClients, port: port)
        try await gateway.wait { streams.lineCounts.allSatisfy { $0 > 0 } }
        try await clock.sleep(seconds: 1)
        let wakeUps = try gateway.facts.wakeUps()
        try await clock.sleep(seconds: Self.idleSeconds)
        let woken = try gateway.facts.wakeUps() - wakeUps
        let growth = try gateway.facts.residentBytes() - before
        try gateway.end()
        return [
            Figure(
                "1,000 idle clients", "MB", Double(growth) / 1e6, goal: .value(.atMost, 20)),
            Figure(
                "wake-ups, 1,000 idle clients", "1/s", Double(woken) / Self.idleSeconds),
        ]
    }

    /// Sends the beats of a round, and returns their latencies to all clients.
    private static func delays(
        of round: Int, at clients: LineClients,
        _ parse: @escaping (ArraySlice<UInt8>) -> StrapBeats.Beat?,
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
        var arrivals = Arrivals(parse)
        while true {
            try await clock.sleep(seconds: pollIntervalSeconds)
            for piece in clients.drain() { arrivals.add(piece) }
            let missing = beats.first { arrivals.times[$0, default: [:]].count != Self.clients }
            guard let missing else { return Delays(milliseconds: arrivals.milliseconds(sent)) }
            guard clock.now() < end else {
                throw BenchmarkError(
                    "\(missing) reached only \(arrivals.times[missing, default: [:]].count) clients"
                )
            }
        }
    }
}

/// When each client got a beat for the first time; an event repeats it when something else has changed.
private struct Arrivals {
    var times: [StrapBeats.Beat: [Int: Double]] = [:]
    private var rests: [Int: [UInt8]] = [:]
    private let parse: (ArraySlice<UInt8>) -> StrapBeats.Beat?

    init(_ parse: @escaping (ArraySlice<UInt8>) -> StrapBeats.Beat?) {
        self.parse = parse
    }

    mutating func add(_ piece: LineClients.Piece) {
        // A line in two reads is received with the second one.
        let bytes = rests[piece.client, default: []] + piece.bytes
        let end = bytes.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
        rests[piece.client] = Array(bytes[end...])
        for line in bytes[..<end].split(separator: UInt8(ascii: "\n")) {
            guard let beat = parse(line) else { continue }
            let first = times[beat, default: [:]][piece.client] ?? piece.seconds
            times[beat, default: [:]][piece.client] = first
        }
    }

    func milliseconds(_ sent: [StrapBeats.Beat: Double]) -> [Double] {
        sent.flatMap { beat, time in
            times[beat, default: [:]].values.map { ($0 - time) * 1_000 }
        }
    }
}
