import HealthModel

/// Whether a device is there, by its readings alone: a run of readings goes on while none is missing for
/// longer than a limit.
///
/// The first run is steady from its beginning. One that follows a silence is steady only when it has gone
/// on for as long as the limit, so that a strap with a bad contact does not take over again and again.
struct ReadingRun: Sendable {
    private(set) var last: Instant?
    private(set) var isSteady = false
    private var start = Instant(nanosecondsSince1970: .min)

    /// Goes on to a reading that is not before the last one.
    mutating func take(_ time: Instant, limitSeconds: Double) {
        defer { last = time }
        guard let last else {
            (start, isSteady) = (time, true)
            return
        }
        if time.seconds(since: last) > limitSeconds { (start, isSteady) = (time, false) }
        if time.seconds(since: start) >= limitSeconds { isSteady = true }
    }

    /// Whether the run still goes on at the time of the next reading, or of the last look.
    func goesOn(until next: Instant, limitSeconds: Double) -> Bool {
        guard let last else { return false }
        return next.seconds(since: last) <= limitSeconds
    }

    /// The device is said to be gone: what comes next is a new run, however short the silence is.
    mutating func interrupt() {
        guard last != nil else { return }
        last = Instant(nanosecondsSince1970: .min)
        isSteady = false
    }
}
