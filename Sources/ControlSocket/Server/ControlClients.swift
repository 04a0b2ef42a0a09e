package import GatewayHost
package import Platform
import Synchronization

/// The clients of the control socket, counted.
package final class ControlClients: Sendable {
    /// So many clients are served at once.
    package static let limit = 64

    private let state = Mutex(StatusReport.Clients())
    private let log: Logger

    package init(log: Logger) {
        self.log = log
    }

    package var counts: StatusReport.Clients { state.withLock { $0 } }

    /// Takes a place for a client; false when there is none, of which the first time is worth a word.
    package func enter() -> Bool {
        let (isIn, refused) = state.withLock { counts in
            let isIn = counts.connected < Self.limit
            counts.connected += isIn ? 1 : 0
            counts.refused += isIn ? 0 : 1
            return (isIn, counts.refused)
        }
        if !isIn, refused == 1 {
            log.warning(
                "a client was sent away, because there are \(Self.limit) already; "
                    + "from now on this is only counted, see `pulsegate status`")
        }
        return isIn
    }

    /// Gives a client's place back.
    package func leave() {
        state.withLock { $0.connected -= 1 }
    }

    /// A client was cut off; the first time is worth a word.
    package func noteCutOff() {
        let count = state.withLock { counts in
            counts.cutOff += 1
            return counts.cutOff
        }
        guard count == 1 else { return }
        log.warning(
            "a client was cut off that did not read what it had asked for; "
                + "from now on this is only counted, see `pulsegate status`")
    }
}
