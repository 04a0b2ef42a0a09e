import HealthModel
import Platform
import Readings

/// The clock for the age of batches.
///
/// It starts from the wall clock when the journal is opened, or from the newest batch if that is
/// later, and continues with the boot clock: a step of the wall clock does not make records old.
struct JournalTime {
    static let earliest = Instant(nanosecondsSince1970: .min)
    /// 2025-01-01: an earlier time comes from a clock that was not set and has no known age.
    static let plausible = Instant(nanosecondsSince1970: 1_735_689_600_000_000_000)

    private let clock: any GatewayClock
    private let opened: Instant
    private let openedAt: BootInstant

    init(clock: any GatewayClock, notBefore newest: Instant) {
        self.clock = clock
        openedAt = clock.now()
        opened = max(clock.epoch().instant(at: openedAt), newest)
    }

    /// The present moment.
    func now() -> Instant {
        opened.adding(nanoseconds: max(clock.now().nanoseconds(since: openedAt), 0))
    }

    /// Returns the age of a batch in seconds; a batch of unknown time is as old as this run.
    func age(of place: JournalPlace) -> Double {
        let start = place.time < Self.plausible ? opened : place.time
        return Double(max(now().nanoseconds(since: start), 0)) / 1e9
    }

    /// Limits a bound to batches that are not older than `seconds`.
    func bound(seconds: Double, in bound: inout JournalBound) {
        let age = Int64(clampedNanosecondsOf: seconds)
        bound.time = now().adding(nanoseconds: -age)
        if opened >= bound.time { bound.unknownBefore = Self.plausible }
    }
}
