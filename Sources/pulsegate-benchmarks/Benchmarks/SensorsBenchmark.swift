import BluetoothTesting
import GatewayCore
import GatewayTesting
import Platform

/// Measures whether a fast sensor beside many slow ones loses or delays a value.
struct SensorsBenchmark: Benchmark {
    let name = "sensors"
    let summary = "40 straps at 1 Hz and a sensor at 1,000 Hz to a store and `tap --json`"

    private static let slow = 40
    private static let perSecond = 1_000
    private static let seconds = 10
    /// The values are 60 to 159, so that none equals the one before.
    private static let values = 100
    private static let timeoutSeconds = 10.0

    /// A value with the time on the monotonic clock, in seconds.
    private struct Entry {
        let value: Int
        let seconds: Double
    }

    /// The results of a round.
    private struct Outcome {
        let fast: Delays
        let slow: Delays
        let cpuMicroseconds: Double
        let memory: Double
    }

    func run(_ context: BenchmarkContext) async throws -> [Figure] {
        let gateway = try await StrapGateway(
            context.command, in: "\(context.folder)/sensors", straps: Self.slow + 1, clients: 1)
        var outcomes: [Outcome] = []
        for _ in 0..<context.rounds.count { outcomes.append(try await Self.round(gateway)) }
        try gateway.end()
        func figure(
            _ name: String, _ unit: String, goal: Figure.Goal? = nil, _ value: (Outcome) -> Double
        ) -> Figure {
            Figure(name, unit, median(outcomes.map(value)), goal: goal)
        }
        return [
            figure("1,000 Hz, p50", "ms") { $0.fast.percentile(0.5) },
            figure("1,000 Hz, p99", "ms", goal: .value(.atMost, 5)) { $0.fast.percentile(0.99) },
            figure("1,000 Hz, longest", "ms") { $0.fast.longest },
            figure("1 Hz, p50", "ms") { $0.slow.percentile(0.5) },
            figure("1 Hz, p99", "ms", goal: .value(.atMost, 5)) { $0.slow.percentile(0.99) },
            figure("CPU", "us/value") { $0.cpuMicroseconds },
            figure("private memory", "MB", goal: .value(.atMost, 12)) { $0.memory },
        ]
    }

    /// Sends the values of a round, and waits until the client has all of them.
    ///
    /// - Throws: ``BenchmarkError`` when one is missing or not in order.
    private static func round(_ gateway: StrapGateway) async throws -> Outcome {
        let clock = SystemClock()
        _ = gateway.clients.drain()
        let cpu = gateway.facts.cpuSeconds
        let sent = try await send(to: gateway.bluez, clock)
        let count = sent.values.reduce(0) { $0 + $1.count }
        let end = clock.now().adding(seconds: timeoutSeconds)
        var pieces: [LineClients.Piece] = []
        var received: [Int: [Entry]] = [:]
        repeat {
            try await clock.sleep(seconds: 0.1)
            pieces += gateway.clients.drain()
            received = entries(of: pieces)
        } while received.values.reduce(0, { $0 + $1.count }) < count && clock.now() < end
        let delays = try sent.keys.sorted().map { strap in
            try Self.delays(received[strap] ?? [], since: sent[strap] ?? [], strap)
        }
        return Outcome(
            fast: Delays(milliseconds: delays[slow]),
            slow: Delays(milliseconds: delays[..<slow].flatMap { $0 }),
            cpuMicroseconds: (gateway.facts.cpuSeconds - cpu) * 1e6 / Double(count),
            memory: Double(try gateway.facts.privateBytes()) / 1e6)
    }

    private static func send(
        to bluez: FakeBlueZ, _ clock: SystemClock
    ) async throws -> [Int: [Entry]] {
        var sent: [Int: [Entry]] = [:]
        let start = clock.now()
        // A slow strap has its turn whenever the fast sensor has sent so many values.
        let turn = perSecond / slow
        for number in 0..<perSecond * seconds {
            let next = Int64(number) * 1_000_000_000 / Int64(perSecond)
            try await clock.sleep(until: start.adding(nanoseconds: next))
            let straps = number % turn == 0 ? [slow, number / turn % slow] : [slow]
            for strap in straps {
                let value = 60 + sent[strap, default: []].count % values
                sent[strap, default: []].append(Entry(value: value, seconds: Meter.wallSeconds))
                let beat = StrapBeats.Beat(strap: strap, heartRate: value)
                await bluez.notify(StrapBeats.address(strap), StrapBeats.value(beat))
            }
        }
        return sent
    }

    /// The values in the lines of a client, by strap and in order.
    private static func entries(of pieces: [LineClients.Piece]) -> [Int: [Entry]] {
        var rest: [UInt8] = []
        var entries: [Int: [Entry]] = [:]
        for piece in pieces {
            let bytes = rest + piece.bytes
            let end = bytes.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
            rest = Array(bytes[end...])
            for line in bytes[..<end].split(separator: UInt8(ascii: "\n")) {
                guard let beat = StrapBeats.beat(of: line) else { continue }
                entries[beat.strap, default: []].append(
                    Entry(value: beat.heartRate, seconds: piece.seconds))
            }
        }
        return entries
    }

    private static func delays(
        _ received: [Entry], since sent: [Entry], _ strap: Int
    ) throws -> [Double] {
        guard received.map(\.value) == sent.map(\.value) else {
            throw BenchmarkError(
                "strap \(strap): \(sent.count) values sent, \(received.count) received, "
                    + "or not in order")
        }
        return zip(sent, received).map { ($1.seconds - $0.seconds) * 1_000 }
    }
}
