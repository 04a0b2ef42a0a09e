import Exec
import Glibc
import HealthModel

/// Measures decoding of the lines of a program.
struct ExecBenchmark: Benchmark {
    let name = "exec"
    let summary = "lines of a program into readings and records, vs. a look at every byte"

    private static let count = 1_000
    private static let repeats = 200

    /// Lines as a program with a strap and a pedometer prints them.
    private static let readings = [
        #"{"reading":"counter","type":"stepCount","value":1234,"modulus":65536,"seq":"#,
        #"{"reading":"instant","type":"heartRate","value":72,"unit":"count/min","time":"2026-11-21T18:15:00.123Z","seq":"#,
        #"{"reading":"beats","ticks":[1041],"perSecond":1024,"device":"left","seq":"#,
        #"{"reading":"state","contact":false,"seq":"#,
    ]
    private static let record =
        #"{"type":"heartRate","start":"2026-11-21T18:15:00.123Z","end":"2026-11-21T18:15:00.123Z","value":72,"unit":"count/min","seq":"#

    func run(_ context: BenchmarkContext) async throws -> [Figure] {
        let readings = Self.lines { Self.readings[$0 % Self.readings.count] }
        let records = Self.lines { _ in Self.record }
        return [
            try await figure("readings", readings, context, goal: 500_000),
            try await figure("records", records, context, goal: 500_000),
        ]
    }

    private func figure(
        _ name: String, _ lines: [UInt8], _ context: BenchmarkContext, goal: Double
    ) async throws -> Figure {
        let turns = try await context.rounds.alternate {
            scan(lines)
        } ours: {
            try decode(lines)
        }
        return Figure(name, "lines/s", turns, goal: .value(.atLeast, goal)) {
            1e9 / $0.nanosecondsEach
        }
    }

    private static func lines(_ start: (Int) -> String) -> [UInt8] {
        (0..<count).flatMap { Array("\(start($0))\($0)}\n".utf8) }
    }

    private func decode(_ bytes: [UInt8]) throws -> Cost {
        let id = RecordID(high: 1, low: 1)
        var decoder = ReadingLineDecoder()
        return try Meter.cost(of: Self.count * Self.repeats) {
            for _ in 0..<Self.repeats {
                var start = 0
                while let end = Self.end(of: bytes, from: start) {
                    blackHole(try decoder.decode(bytes[start..<end], makeID: { _, _ in id }))
                    start = end + 1
                }
            }
        }
    }

    private func scan(_ bytes: [UInt8]) -> Cost {
        Meter.cost(of: Self.count * Self.repeats) {
            for _ in 0..<Self.repeats {
                var (quotes, isEscaped) = (0, false)
                for byte in bytes {
                    if byte == UInt8(ascii: "\""), !isEscaped { quotes += 1 }
                    isEscaped = byte == UInt8(ascii: "\\")
                }
                blackHole(quotes)
            }
        }
    }

    private static func end(of bytes: [UInt8], from start: Int) -> Int? {
        bytes.withUnsafeBytes { buffer in
            guard start < buffer.count, let base = buffer.baseAddress else { return nil }
            let newline = memchr(base + start, 0x0A, buffer.count - start)
            return newline.map { base.distance(to: UnsafeRawPointer($0)) }
        }
    }
}
