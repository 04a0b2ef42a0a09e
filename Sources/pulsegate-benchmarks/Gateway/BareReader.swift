import GatewayCore
import Glibc
import Platform

/// Reads lines from a terminal in a simple blocking loop.
enum BareReader {
    /// Measures the thread that reads `count` lines; `body` gets the number of lines in each read.
    static func cost(
        of count: Int, from path: String, _ body: (Int) throws -> Void
    ) throws -> Cost {
        let terminal = open(path, O_RDONLY | O_NOCTTY | O_CLOEXEC)
        guard terminal >= 0 else { throw BenchmarkError("cannot open \(path)") }
        defer { close(terminal) }
        var piece = [UInt8](repeating: 0, count: 65_536)
        var rest = count
        return try Meter.threadCost(of: count) {
            while rest > 0 {
                let length = read(terminal, &piece, piece.count)
                guard length > 0 else { throw BenchmarkError("\(path) has ended") }
                let lines = piece[..<length].count { $0 == UInt8(ascii: "\n") }
                try body(lines)
                rest -= lines
            }
        }
    }

    /// Runs a blocking function on a thread of its own.
    static func onThread<Value: Sendable>(
        _ body: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            SystemThread.start(name: "bare") {
                continuation.resume(with: Result { try body() })
            }
        }
    }
}
