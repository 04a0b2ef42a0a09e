import HealthModel

/// The availability of a device by its readings alone: a run of readings continues while no gap is
/// longer than a limit.
///
/// The first run is steady from its beginning. A run after a gap is steady only when it has lasted
/// for as long as the limit, so that a strap with bad contact does not take over repeatedly.
struct ReadingRun: Sendable {
    private(set) var last: Instant?
    private(set) var isSteady = false
    private var start = Instant(nanosecondsSince1970: .min)

    /// Extends the run to a reading, which is not before the last one, or starts a new run.
    mutating func extend(_ time: Instant, limitSeconds: Double) {
        defer { last = time }
        guard let last else {
            (start, isSteady) = (time, true)
            return
        }
        if time.seconds(since: last) > limitSeconds { (start, isSteady) = (time, false) }
        if time.seconds(since: start) >= limitSeconds { isSteady = true }
    }

    /// Whether the run is unbroken until the next reading, or until now.
    func isUnbroken(until next: Instant, limitSeconds: Double) -> Bool {
        guard let last else { return false }
        return next.seconds(since: last) <= limitSeconds
    }

    /// Ends the run, because the device is reported as lost: the next reading starts a new run,
    /// however short the gap.
    mutating func interrupt() {
        guard last != nil else { return }
        last = Instant(nanosecondsSince1970: .min)
        isSteady = false
    }
}
