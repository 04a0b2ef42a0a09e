import GatewayTesting
import HTTPTesting
import Synchronization

/// A repository that keeps the sums of what it stores, and now and then fails as it is told.
final class FaultyRepository: Sendable {
    /// How it fails, once.
    enum Fault: String, CaseIterable, Sendable {
        case error = "status 500"
        case tooMany = "status 429"
        case reset = "reset"
        case closed = "closed"
        case slow = "slow"
        case storedAndReset = "stored, then reset"
    }

    private struct State {
        var tally = RecordTally()
        var next: Fault?
        var failed: [Fault: Int] = [:]
    }

    private let state = Mutex(State())

    var sums: RecordTally.Sums { state.withLock { $0.tally.sums } }
    /// How many records came again after they had been stored.
    var repeated: Int { state.withLock { $0.tally.repeated } }
    /// How often it has failed in each way.
    var failures: [Fault: Int] { state.withLock { $0.failed } }

    /// Fails at the next request.
    func fail(_ fault: Fault) { state.withLock { $0.next = fault } }

    func makeServer() throws -> ScriptedHTTPServer {
        try ScriptedHTTPServer(recordsRequests: false, readsBodies: true) { [self] _, _ in
            .decide { self.react(to: $0) }
        }
    }

    private func react(to request: ReceivedHTTPRequest) -> ScriptedReaction {
        state.withLock { state in
            let fault = state.next
            state.next = nil
            if let fault { state.failed[fault, default: 0] += 1 }
            switch fault {
            case .error: return .answer(ScriptedAnswer(status: 500, body: "out of order"))
            case .tooMany:
                return .answer(ScriptedAnswer(status: 429, headers: [("Retry-After", "1")]))
            case .reset: return .reset
            case .closed: return .close
            case nil, .slow, .storedAndReset: state.tally.add(request.body)
            }
            return switch fault {
            case .slow: .answer().dripping(secondsPerByte: 0.005)
            case .storedAndReset: .reset
            default: .answer()
            }
        }
    }
}
