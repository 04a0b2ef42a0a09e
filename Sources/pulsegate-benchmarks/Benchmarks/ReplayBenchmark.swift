import Foundation
import GatewayCore
import Glibc
import Platform

/// Measures the replay of a capture at full speed.
struct ReplayBenchmark: Benchmark {
    let name = "replay"
    let summary = "a capture of a strap and a pedometer to lines, vs. a bare loop over its bytes"

    private static let seconds = 200_000
    /// The contact, the heart rate and the beats of the strap; two totals of the pedometer.
    private static let readingsPerSecond = 5
    /// The approximate size of the line of JSON for a reading.
    private static let bytesOut = 330

    func run(_ context: BenchmarkContext) async throws -> [Figure] {
        let folder = "\(context.folder)/replay"
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true)
        try Self.writeCapture("\(folder)/capture")
        let turns = try await context.rounds.alternate {
            try Self.bare(folder)
        } ours: {
            try Self.ours(folder, context.command)
        }
        return [
            Figure("readings", "readings/s", turns, goal: .value(.atLeast, 300_000)) {
                $0.perSecond
            },
            Figure("CPU", "us/reading", turns) { $0.cpuMicrosecondsEach },
        ]
    }

    private static func ours(_ folder: String, _ command: String) throws -> Cost {
        let start = Meter.wallSeconds
        let process = try MeasuredProcess(
            [command, "replay", "\(folder)/capture", "--speed", "max"],
            output: "\(folder)/lines", error: "\(folder)/log")
        let cpu = try process.waitForEnd()
        let lines = try String(contentsOfFile: "\(folder)/log", encoding: .utf8)
        guard lines.contains("dropped=0 lost=0 pending=0") else {
            throw BenchmarkError("the replay is incomplete: \(lines)")
        }
        return Cost(
            count: seconds * readingsPerSecond, seconds: Meter.wallSeconds - start,
            cpuSeconds: cpu)
    }

    /// Reads the same lines, decodes their digits, and writes as many bytes.
    private static func bare(_ folder: String) throws -> Cost {
        let input = open("\(folder)/capture", O_RDONLY | O_CLOEXEC)
        let output = open("\(folder)/bare", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard input >= 0, output >= 0 else { throw BenchmarkError("cannot open \(folder)/bare") }
        defer {
            close(input)
            close(output)
        }
        let text = [UInt8](repeating: UInt8(ascii: "x"), count: bytesOut << 13)
        var piece = [UInt8](repeating: 0, count: 65_536)
        var sum: UInt64 = 0
        return try Meter.cost(of: seconds * readingsPerSecond) {
            while case let length = read(input, &piece, piece.count), length > 0 {
                var lines = 0
                for byte in piece[..<length] {
                    if byte == UInt8(ascii: "\n") { lines += 1 }
                    sum = sum << 4 ^ UInt64(byte & 15)
                }
                let rest = lines * readingsPerSecond / 2 * bytesOut
                guard write(output, text, min(rest, text.count)) >= 0 else {
                    throw BenchmarkError("cannot write \(folder)/bare")
                }
            }
            blackHole(sum)
        }
    }

    private static func writeCapture(_ path: String) throws {
        var text = """
            {"capture":1,"at":1000000000,"clock":"1795000000000000000","version":"1.0.0",\
            "earliest":"2026-01-01T00:00:00Z","utcOffset":0}
            {"device":1,"source":"straps","localIdentifier":"D0:11:22:33:44:55","name":"Strap"}
            {"opened":1,"at":1000000000,"adapter":{"profiles":["heartRate"]}}
            {"device":2,"source":"foot","localIdentifier":"/dev/ttyUSB0","name":"Foot"}
            {"opened":2,"at":1000000001,"adapter":{"protocol":{"use":"lines","preset":"steps"}}}

            """
        for second in 0..<seconds {
            let time = (second + 2) * 1_000_000_000
            let line = "Steps: \(2 * second), Distance: \(Double(3 * second) / 2) meters\r\n"
            let digits = line.utf8.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
            text += """
                {"received":1,"at":\(time),"channel":"2a37","bytes":"164820033403"}
                {"received":2,"at":\(time + 500),"channel":"stream","bytes":"\(digits)"}

                """
        }
        try text.write(toFile: path, atomically: false, encoding: .utf8)
    }
}
