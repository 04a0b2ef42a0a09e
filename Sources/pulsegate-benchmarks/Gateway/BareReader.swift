import GatewayCore
import Glibc
import Platform

/// Reads lines from a terminal in a simple blocking loop.
enum BareReader {
    /// Measures the thread that reads `count` lines; `body` gets the number of lines in each read.
    static func cost(
        of count: Int, from path: String, _ body: (Int) throws -> Void
    ) throws -> Cost {
        let terminal = try opened(path)
        defer { close(terminal) }
        var piece = [UInt8](repeating: 0, count: 65_536)
        var rest = count
        return try Meter.threadCost(of: count) {
            while rest > 0 {
                let lines = try lines(from: terminal, &piece)
                try body(lines)
                rest -= lines
            }
        }
    }

    /// Measures the thread that reads `count` lines from several terminals, as they come.
    static func cost(
        of count: Int, fromAll paths: [String], _ body: (Int) throws -> Void
    ) throws -> Cost {
        var waits = try paths.map { pollfd(fd: try opened($0), events: Int16(POLLIN), revents: 0) }
        defer { for wait in waits { close(wait.fd) } }
        var piece = [UInt8](repeating: 0, count: 4_096)
        var rest = count
        return try Meter.threadCost(of: count) {
            while rest > 0 {
                poll(&waits, nfds_t(waits.count), -1)
                for wait in waits where wait.revents != 0 {
                    let lines = try lines(from: wait.fd, &piece)
                    try body(lines)
                    rest -= lines
                }
            }
        }
    }

    private static func opened(_ path: String) throws -> Int32 {
        let terminal = open(path, O_RDONLY | O_NOCTTY | O_CLOEXEC)
        guard terminal >= 0 else { throw BenchmarkError("cannot open \(path)") }
        return terminal
    }

    /// Reads once, and returns the number of lines.
    private static func lines(from terminal: Int32, _ piece: inout [UInt8]) throws -> Int {
        let length = read(terminal, &piece, piece.count)
        guard length > 0 else { throw BenchmarkError("a terminal has ended") }
        return piece[..<length].count { $0 == UInt8(ascii: "\n") }
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
