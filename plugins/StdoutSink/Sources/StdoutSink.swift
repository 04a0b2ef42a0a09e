package import GatewayCore
import Glibc
package import Platform

/// Writes every record to an output, usually standard output, as a line of JSON.
///
/// A reader that is slow slows this sink only; one that has gone away makes it hold.
package actor StdoutSink: LineSink {
    private let output: LineOutput
    private let executor = QueueExecutor(label: "stdout")

    /// Makes a sink on an output that others may use too.
    package init(output: LineOutput) {
        self.output = output
    }

    /// The queue on which a write may block.
    package nonisolated var unownedExecutor: UnownedSerialExecutor {
        executor.asUnownedSerialExecutor()
    }

    /// The factory for `use: "stdout"`.
    package static let factory = SinkFactory(use: "stdout", keys: [], about: about) {
        _, context in StdoutSink(output: context.standardOutput)
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
            return .blocked(reason: "the reader of standard output has gone away")
        }
        return .retry(reason: "standard output: \(failure)", after: nil)
    }
}
