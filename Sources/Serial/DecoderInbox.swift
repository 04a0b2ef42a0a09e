import GatewayCore
import Platform
import Synchronization

/// Batches of outputs of a decoder on their way to the session; each sender waits until its batch is
/// taken.
final class DecoderInbox: Sendable {
    /// Outputs with their time of receipt.
    struct Batch: Sendable {
        let outputs: [DecoderOutput]
        let receipt: BootInstant
    }

    private struct State {
        var waiting: [(batch: Batch, sender: CheckedContinuation<Void, Never>)] = []
        var isClosed = false
    }

    private let state = Mutex(State())

    /// Puts a batch in, calls `wake`, and waits until it is taken or the inbox is closed.
    func put(_ batch: Batch, wake: @Sendable () -> Void) async {
        await withCheckedContinuation { continuation in
            let isClosed = state.withLock { state in
                guard !state.isClosed else { return true }
                state.waiting.append((batch, continuation))
                return false
            }
            if isClosed { continuation.resume() } else { wake() }
        }
    }

    /// Takes the batches, in order; their senders continue.
    func takeAll() -> [Batch] {
        let waiting = state.withLock { state in
            defer { state.waiting = [] }
            return state.waiting
        }
        for entry in waiting { entry.sender.resume() }
        return waiting.map(\.batch)
    }

    /// Closes the inbox: further batches are lost, and nobody waits.
    func close() {
        state.withLock { $0.isClosed = true }
        _ = takeAll()
    }
}
