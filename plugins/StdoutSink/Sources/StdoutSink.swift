package import GatewayCore
import Glibc

/// Writes every record to a descriptor, usually standard output, as a line of JSON.
///
/// A reader that is slow slows this sink only; one that has gone away makes it hold.
package actor StdoutSink: LineSink {
    private let output: OutputDescriptor
    private let executor = QueueExecutor(label: "stdout")

    /// Makes a sink on a descriptor that stays the caller's.
    package init(descriptor: Int32 = STDOUT_FILENO) {
        output = OutputDescriptor(descriptor: descriptor)
    }

    /// The queue on which a write may block.
    package nonisolated var unownedExecutor: UnownedSerialExecutor {
        executor.asUnownedSerialExecutor()
    }

    /// The factory for `use: "stdout"`.
    package static let factory = SinkFactory(use: "stdout", keys: [], about: about) { _, _ in
        StdoutSink()
    }

    /// Writes the batch as lines.
    package func write(_ batch: RecordLines) async throws {
        do {
            try output.write(batch.bytes)
        } catch {
            throw Self.sinkError(error)
        }
    }

    private static func sinkError(_ failure: OutputDescriptor.Failure) -> SinkError {
        if failure.code == EPIPE {
            return .hold(reason: "the reader of standard output has gone away")
        }
        return .retry(reason: "standard output: \(failure)", after: nil)
    }
}
