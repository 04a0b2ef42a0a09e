import Platform

/// An allowance for something that a program causes: a number at once, and a rate for longer.
struct RateAllowance: Sendable {
    private let burst: Double
    private let perSecond: Double
    private var saved: Double
    private var last: BootInstant?

    /// Makes a full allowance.
    init(burst: Double, perSecond: Double) {
        self.burst = burst
        self.perSecond = perSecond
        saved = burst
    }

    /// Spends one; false if the allowance is used up.
    mutating func admits(at now: BootInstant) -> Bool {
        if let last { saved = min(burst, saved + now.seconds(since: last) * perSecond) }
        last = now
        guard saved >= 1 else { return false }
        saved -= 1
        return true
    }
}
