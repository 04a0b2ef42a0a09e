import GatewayCore
import JSON
import Lines
import Platform
import Readings
import Serial

/// Measures what the containment of an adapter costs: the mark of each call and the allowance.
struct CallsBenchmark: Benchmark {
    let name = "calls"
    let summary = "lines through an adapter with mark and allowance, vs. the adapter alone"

    private static let count = 2_000_000
    /// The number of lines that a busy serial port has ready at a time.
    private static let linesPerPiece = 200
    /// The time between two calls, in nanoseconds: every call must be allowed.
    private static let interval: Int64 = 1_000_000

    /// What an adapter wants, by kind.
    private struct Outcome {
        var readings: [TimedReading] = []
        var drops: [DropReason: Int] = [:]
        var sends: [(bytes: [UInt8], channel: Channel)] = []
        var reads: [Channel] = []
    }

    func run(_ context: BenchmarkContext) async throws -> [Figure] {
        let single = try await turns(linesPerCall: 1, context)
        let many = try await turns(linesPerCall: Self.linesPerPiece, context)
        return [
            Figure("a line in a call of its own", "ns", single) { $0.nanosecondsEach },
            Figure("a line among \(Self.linesPerPiece)", "ns", many) { $0.nanosecondsEach },
        ]
    }

    private func turns(
        linesPerCall: Int, _ context: BenchmarkContext
    ) async throws -> PairedMeasurements<Cost> {
        let bytes = (0..<linesPerCall).flatMap { StepLines.line(1_000 + $0) }
        return try await context.rounds.alternate {
            try bare(bytes, linesPerCall)
        } ours: {
            try contained(bytes, linesPerCall)
        }
    }

    private static func makeAdapter() throws -> any DeviceAdapter {
        let node = try ConfigurationNode(json5: "{ use: \"lines\", preset: \"steps\" }")
        return try LinesProtocol.factory.make(node).makeAdapter()
    }

    /// The adapter, and its actions sorted by kind.
    private func bare(_ bytes: [UInt8], _ linesPerCall: Int) throws -> Cost {
        var adapter = try Self.makeAdapter()
        var receipts = ReceiptSequence()
        return Meter.cost(of: Self.count) {
            for call in 0..<Self.count / linesPerCall {
                let receipt = BootInstant(nanoseconds: Int64(call) * Self.interval)
                let actions = adapter.handle(
                    AdapterEvent(.received(bytes, on: .stream), at: receipt))
                var outcome = Outcome()
                outcome.readings.reserveCapacity(actions.count)
                for action in actions { perform(action, at: receipt, &receipts, &outcome) }
                blackHole(outcome)
            }
        }
    }

    private func perform(
        _ action: consuming AdapterAction, at receipt: BootInstant,
        _ receipts: inout ReceiptSequence, _ outcome: inout Outcome
    ) {
        switch action {
        case .reading(let reading):
            outcome.readings.append(TimedReading(reading, at: receipts.next(receipt)))
        case .send(let bytes, let channel): outcome.sends.append((bytes, channel))
        case .read(let channel): outcome.reads.append(channel)
        case .dropped(let reason): outcome.drops[reason, default: 0] += 1
        case .wake: break
        }
    }

    private func contained(_ bytes: [UInt8], _ linesPerCall: Int) throws -> Cost {
        let marks = CallMarks()
        var session = AdapterSession(
            try Self.makeAdapter(), mark: marks.mark(source: "foot", device: "/dev/ttyUSB0"))
        return Meter.cost(of: Self.count) {
            for call in 0..<Self.count / linesPerCall {
                let receipt = BootInstant(nanoseconds: Int64(call) * Self.interval)
                blackHole(session.handle(.received(bytes, on: .stream), at: receipt))
            }
        }
    }
}
