import GatewayCore
import Platform
import Synchronization

/// A batch of outputs of a decoder on its way to the session; the decoder waits until it is taken.
final class DecoderInbox: Sendable {
    /// Outputs with their time of receipt.
    struct Batch: Sendable {
        let outputs: [DecoderOutput]
        let receipt: BootInstant
    }

    private struct State {
        var batch: Batch?
        var isClosed = false
        var producer: CheckedContinuation<Void, Never>?
    }

    private let state = Mutex(State())

    /// Puts a batch in, calls `wake`, and waits until it is taken or the inbox is closed.
    func put(_ batch: Batch, wake: @Sendable () -> Void) async {
        await withCheckedContinuation { continuation in
            let isClosed = state.withLock { state in
                guard !state.isClosed else { return true }
                state.batch = batch
                state.producer = continuation
                return false
            }
            if isClosed { continuation.resume() } else { wake() }
        }
    }

    /// Takes the batch, if there is one; the decoder continues.
    func take() -> Batch? {
        let (batch, producer) = state.withLock { state in
            defer { (state.batch, state.producer) = (nil, nil) }
            return (state.batch, state.producer)
        }
        producer?.resume()
        return batch
    }

    /// Closes the inbox: further batches are lost, and nobody waits.
    func close() {
        state.withLock { $0.isClosed = true }
        _ = take()
    }
}
