package import GatewayCore
import Glibc
package import HealthModel

/// Writes every record to a descriptor, usually standard output, as a line of JSON.
///
/// A reader that is slow slows this sink only; one that has gone away makes it hold.
package actor StdoutSink: Sink {
    private let descriptor: Int32
    private let executor = QueueExecutor(label: "pulsegate.stdout")

    /// Makes a sink on a descriptor that stays the caller's.
    package init(descriptor: Int32 = STDOUT_FILENO) {
        self.descriptor = descriptor
    }

    /// The queue on which a write may block.
    package nonisolated var unownedExecutor: UnownedSerialExecutor {
        executor.asUnownedSerialExecutor()
    }

    /// The factory for `use: "stdout"`.
    package static let factory = SinkFactory(use: "stdout", keys: []) { _, _ in StdoutSink() }

    /// Writes the batch as lines.
    package func write(_ batch: [Record]) async throws {
        var lines: [UInt8] = []
        for record in batch {
            RecordEncoder.append(record, to: &lines)
            lines.append(UInt8(ascii: "\n"))
        }
        try write(lines)
    }

    private func write(_ bytes: [UInt8]) throws(SinkError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            let code = errno
            if count >= 0 {
                rest = rest.dropFirst(count)
            } else if code == EAGAIN {
                waitUntilWritable()
            } else if code != EINTR {
                throw Self.error(code)
            }
        }
    }

    /// Somebody else may have made the descriptor non-blocking: a shell's terminal is shared.
    private func waitUntilWritable() {
        var poll = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        Glibc.poll(&poll, 1, -1)
    }

    private static func error(_ code: Int32) -> SinkError {
        if code == EPIPE { return .hold(reason: "the reader of standard output has gone away") }
        return .retry(reason: "standard output: \(String(cString: strerror(code)))", after: nil)
    }
}
