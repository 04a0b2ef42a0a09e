package import GatewayCore
import Glibc
package import Platform

/// A sink that writes every record to an output, usually standard output, as a line of JSON.
///
/// A slow reader slows only this sink; a closed pipe ends its writes.
package actor StdoutSink: LineSink {
    private let output: LineOutput
    private let executor = QueueExecutor(label: "stdout")

    /// Makes a sink on a shared output.
    package init(output: LineOutput) {
        self.output = output
    }

    /// The queue on which a write may block.
    package nonisolated var unownedExecutor: UnownedSerialExecutor {
        executor.asUnownedSerialExecutor()
    }

    package nonisolated var acceptsDeletions: Bool { true }

    /// The factory for `use: "stdout"`.
    package static let factory = SinkFactory(
        use: "stdout", keys: [], about: about, usesStandardOutput: true
    ) { _, context in StdoutSink(output: context.standardOutput) }

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
            return .closed(reason: "standard output: the reader closed the pipe")
        }
        let reason = "standard output: \(failure)"
        return [ENOSPC, EDQUOT].contains(failure.code)
            ? .storageFull(reason: reason) : .retry(reason: reason, after: nil)
    }
}
