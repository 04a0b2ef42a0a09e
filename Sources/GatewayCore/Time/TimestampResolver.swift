import HealthModel
import Platform

/// Decides by which epoch records are dated: never by a wall clock that cannot be right.
///
/// A time before the program was made is none. Many small boards have no clock that runs while they are
/// off, and begin in 1970 until somebody tells them the time. Until then nothing is dated, or, when
/// that takes too long, everything from `earliest` on, as if the machine had been started then: so
/// what was measured keeps its order and its lengths, also across a restart of the program.
///
/// A clock that was right and is set to such a time is not followed: the last epoch that was right goes
/// on.
struct TimestampResolver: Sendable {
    /// What a look at the clock has brought.
    enum Change: Equatable {
        /// Nothing new.
        case nothing
        /// The clock is not set, as it turns out at the first look.
        case unset
        /// The clock was not set before, and is now.
        case set
        /// The clock was right before, and was set by so many seconds.
        case stepped(seconds: Double)
        /// The clock was right before, and was set to a time that cannot be.
        case refused
    }

    /// What is before this is no time that the wall clock can show.
    let earliest: Instant
    /// The epoch by which records are dated; nil while they have to wait.
    private(set) var epoch: ClockEpoch?
    /// The last that the clock said.
    private var seen: ClockEpoch?
    /// Whether the wall clock is right, as far as anybody can tell, at the last look.
    private(set) var isSet = false

    init(earliest: Instant) {
        self.earliest = earliest
    }

    /// Whether records are dated by what the wall clock shows or has shown.
    var isDatedByClock: Bool { epoch.map { !$0.isUnset } ?? false }

    /// Looks at what the clock says at a moment.
    mutating func look(at new: ClockEpoch, now: BootInstant) -> Change {
        let old = seen
        seen = new
        isSet = new.instant(at: now) >= earliest
        guard isSet else {
            return lookAtUnset(isFirst: old == nil, isNew: old?.number != new.number)
        }
        defer { epoch = new }
        guard let epoch, !epoch.isUnset else { return old == nil ? .nothing : .set }
        guard epoch.number != new.number else { return .nothing }
        let step = Double(new.offsetNanoseconds) - Double(epoch.offsetNanoseconds)
        return .stepped(seconds: step / 1e9)
    }

    private func lookAtUnset(isFirst: Bool, isNew: Bool) -> Change {
        if isDatedByClock { return isNew ? .refused : .nothing }
        return isFirst ? .unset : .nothing
    }

    /// Nothing waits any longer: records are dated from `earliest` on until the clock is set.
    mutating func giveUpWaiting() {
        guard epoch == nil else { return }
        epoch = ClockEpoch(
            number: 0, offsetNanoseconds: earliest.nanosecondsSince1970, isUnset: true)
    }
}
