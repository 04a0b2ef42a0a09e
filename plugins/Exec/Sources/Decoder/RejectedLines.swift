import GatewayCore
import Platform
import Synchronization

/// The lines of a decoder that cannot be used: what the log and the program are told of them.
final class RejectedLines: Sendable {
    /// The rejections that the program is told at once, and per second for longer.
    ///
    /// One that answers each rejection with another bad line stops there.
    private static let burst = 20.0
    private static let perSecond = 2.0
    /// The maximum number of reasons that are logged.
    private static let reasonLimit = 20

    private struct State {
        var reasons: Set<String> = []
        var allowance = RateAllowance(burst: burst, perSecond: perSecond)
    }

    private let device: String
    private let context: ComponentContext
    private let state = Mutex(State())

    init(device: String, _ context: ComponentContext) {
        self.device = device
        self.context = context
    }

    /// Logs a new reason; false if the program is not told of this line.
    func note(_ reason: String) -> Bool {
        let (isNew, isTold) = state.withLock { state in
            let isNew =
                state.reasons.count < Self.reasonLimit && state.reasons.insert(reason).inserted
            return (isNew, state.allowance.admits(at: context.clock.now()))
        }
        if isNew {
            context.log.warning(
                "discarding a line of the decoder; further ones with this reason are only counted",
                ["device": device, "reason": reason])
        }
        return isTold
    }
}
