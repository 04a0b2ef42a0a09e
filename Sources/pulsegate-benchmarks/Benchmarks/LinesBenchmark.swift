import Foundation
import GatewayCore
import HealthModel

/// Measures encoding and decoding of records as lines of JSON.
struct LinesBenchmark: Benchmark {
    let name = "lines"
    let summary = "records to lines of JSON and back, vs. memcpy and Foundation's JSONDecoder"

    private static let count = 1_000
    private static let repeats = 100
    /// JSONDecoder is about a hundred times slower.
    private static let slowRepeats = 4

    /// A record for decoding with Foundation.
    private struct Line: Decodable {
        struct Device: Decodable {
            let name: String?
            let manufacturer: String?
            let model: String?
            let firmwareVersion: String?
            let localIdentifier: String?
            let serial: String?
        }
        struct Source: Decodable {
            let name: String
            let version: String?
        }
        let id: UUID
        let type: String
        let start: String
        let end: String
        let value: Double
        let unit: String
        let person: String?
        let device: Device?
        let source: Source?
    }

    func run(_ context: BenchmarkContext) async throws -> [Figure] {
        var strap = StrapRecords()
        let records = try strap.next(Self.count)
        let lines = RecordBatch(records).lines
        let encoding = await context.rounds.alternate {
            copy(lines)
        } ours: {
            encode(records)
        }
        let known = try await context.rounds.alternate {
            try decodeWithFoundation(lines)
        } ours: {
            var decoder = RecordDecoder()
            return try decode(lines, Self.repeats) { try decoder.decode($0) }
        }
        let cold = try await context.rounds.alternate {
            try decodeWithFoundation(lines)
        } ours: {
            try decode(lines, Self.repeats) { line in
                var decoder = RecordDecoder()
                return try decoder.decode(line)
            }
        }
        return [
            Figure("encode (vs. memcpy)", "ns/line", encoding) { $0.nanosecondsEach },
            Figure("decode, known stream", "ns/line", known) { $0.nanosecondsEach },
            Figure("decode, first of a stream", "ns/line", cold) { $0.nanosecondsEach },
        ]
    }

    private func encode(_ records: [Record]) -> Cost {
        var encoder = RecordLineEncoder()
        var buffer: [UInt8] = []
        return Meter.cost(of: Self.count * Self.repeats) {
            for _ in 0..<Self.repeats {
                buffer.removeAll(keepingCapacity: true)
                for record in records { encoder.append(record, to: &buffer) }
                blackHole(buffer)
            }
        }
    }

    private func copy(_ lines: RecordLines) -> Cost {
        var buffer: [UInt8] = []
        return Meter.cost(of: Self.count * Self.repeats) {
            for _ in 0..<Self.repeats {
                buffer.removeAll(keepingCapacity: true)
                for index in 0..<Self.count { buffer.append(contentsOf: lines[index]) }
                blackHole(buffer)
            }
        }
    }

    private func decode(
        _ lines: RecordLines, _ repeats: Int, _ decode: (ArraySlice<UInt8>) throws -> Record
    ) rethrows -> Cost {
        try Meter.cost(of: Self.count * repeats) {
            for _ in 0..<repeats {
                for index in 0..<Self.count { blackHole(try decode(lines[index])) }
            }
        }
    }

    private func decodeWithFoundation(_ lines: RecordLines) throws -> Cost {
        let decoder = JSONDecoder()
        let texts = (0..<Self.count).map { Data(lines[$0]) }
        return try Meter.cost(of: Self.count * Self.slowRepeats) {
            for _ in 0..<Self.slowRepeats {
                for text in texts { blackHole(try decoder.decode(Line.self, from: text)) }
            }
        }
    }
}
