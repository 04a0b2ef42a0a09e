import GatewayCore
import Synchronization

/// The clients of the control socket, counted.
final class ControlClients: Sendable {
    /// So many clients are served at once.
    static let limit = 64

    /// How many there are and were.
    struct Counts: Equatable, Sendable {
        /// Served now.
        var connected = 0
        /// Sent away because there were too many.
        var refused = 0
        /// Cut off because they did not read what was sent to them.
        var cutOff = 0
    }

    private let state = Mutex(Counts())
    private let log: Logger

    init(log: Logger) {
        self.log = log
    }

    var counts: Counts { state.withLock { $0 } }

    /// Takes a place for a client; false when there is none, of which the first time is worth a word.
    func enter() -> Bool {
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
    func leave() {
        state.withLock { $0.connected -= 1 }
    }

    /// A client was cut off; the first time is worth a word.
    func noteCutOff() {
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
