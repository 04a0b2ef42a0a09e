import HealthModel
import Platform
import Readings

/// The choice of the epoch for dating records, which ignores an impossible wall clock.
///
/// A time before the build date is impossible. Many small boards have no battery-backed clock and
/// start in 1970 until the clock is set. Until then nothing is dated; after a timeout, records are
/// dated from `earliest` on, as if the machine had started then. This preserves the order and the
/// durations, also across a restart of the program.
///
/// If a valid clock is set to an impossible time, the last valid epoch continues.
struct TimestampResolver: Sendable {
    /// The change since the last observation of the clock.
    enum Change: Equatable {
        /// Nothing new.
        case nothing
        /// The clock is not set at the first observation.
        case unset
        /// The clock was not set before, and is now.
        case set
        /// The clock was stepped by this many seconds.
        case stepped(seconds: Double)
        /// The clock was set to an impossible time.
        case rejected
    }

    /// The earliest possible time.
    let earliest: Instant
    /// The epoch for dating records; nil while they must wait.
    private(set) var epoch: ClockEpoch?
    /// The last observed epoch.
    private var seen: ClockEpoch?
    /// Whether the wall clock was possible at the last observation.
    private(set) var isSet = false

    init(earliest: Instant) {
        self.earliest = earliest
    }

    /// Whether records are dated by the wall clock, past or present.
    var isDatedByClock: Bool { epoch.map { !$0.isUnset } ?? false }

    /// Observes the clock's epoch at a moment.
    mutating func observe(at new: ClockEpoch, now: BootInstant) -> Change {
        let old = seen
        seen = new
        isSet = new.instant(at: now) >= earliest
        guard isSet else {
            return observeUnset(isFirst: old == nil, isNew: old?.number != new.number)
        }
        defer { epoch = new }
        guard let epoch, !epoch.isUnset else { return old == nil ? .nothing : .set }
        guard epoch.number != new.number else { return .nothing }
        let step = Double(new.offsetNanoseconds) - Double(epoch.offsetNanoseconds)
        return .stepped(seconds: step / 1e9)
    }

    private func observeUnset(isFirst: Bool, isNew: Bool) -> Change {
        if isDatedByClock { return isNew ? .rejected : .nothing }
        return isFirst ? .unset : .nothing
    }

    /// Ends the wait: records are dated from `earliest` on until the clock is set.
    mutating func stopWaiting() {
        guard epoch == nil else { return }
        epoch = ClockEpoch(
            number: 0, offsetNanoseconds: earliest.nanosecondsSince1970, isUnset: true)
    }
}
