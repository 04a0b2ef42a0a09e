import GatewayCore
import Platform

/// Tells the copies of a notification from values that are equal by chance, for one characteristic.
///
/// bluetoothd tells every notification once for each program that has subscribed to it, to all of them,
/// one copy right after the other (0.3 to 5 ms): with `pulsegate inspect` beside the gateway both are
/// told everything twice. Nothing in a copy says that it is one, and nothing says how many programs
/// there are. So it is learned: from values that come alone, with a pause before and after them, and, where
/// there are no such pauses, from many values in a row. When a disturbed radio or a busy machine brings
/// several values at once, every so many-th of those that are equal is taken.
///
/// What cannot be known is whether a program has just subscribed or the sensor has said the same
/// twice at once. After the usual pause it is taken for a copy: a sensor that brings two values then
/// loses the second one if it is equal. After a longer pause, when several values may have been
/// waiting, it is taken for a value: a program that subscribed during that very pause makes one value
/// count twice. The next value that comes alone puts it right either way.
struct DuplicateNotificationFilter: Sendable {
    /// Copies come within this time of each other, in seconds.
    static let windowSeconds = 0.05
    /// A pause of so many seconds keeps a value apart from the one before it.
    static let pauseSeconds = 0.2
    /// A pause that is so many times the usual one may have held values back.
    static let stallFactor = 1.5
    /// From so many values in a row, without pauses, the number of copies is learned.
    static let crowdCount = 16

    /// How often each value is told, as far as that is known.
    private var copies = 1
    private var last: (value: [UInt8], time: BootInstant)?
    private var run = Run(start: .distantPast, count: 0, isAlone: false)
    /// The usual pause; it follows a shorter one at once and a longer one slowly.
    private var defaultPause: Double?
    /// Of the runs without pauses: how many there were, and what divides all their lengths.
    private var crowd = (count: 0, divisor: 0)

    /// Equal values, each within the window of the one before.
    private struct Run {
        let start: BootInstant
        var count = 1
        /// Whether it came after the usual pause, and so should be one value with its copies.
        let isAlone: Bool
    }

    /// Takes a value, and says whether it is only a copy of one that was taken before.
    mutating func isCopy(_ value: [UInt8], at now: BootInstant) -> Bool {
        let pause = last.map { now.seconds(since: $0.time) }
        defer { last = (value, now) }
        guard let pause, pause <= Self.windowSeconds, last?.value == value else {
            begin(after: pause, at: now)
            return false
        }
        run.count += 1
        let isLate = now.seconds(since: run.start) > Self.windowSeconds
        return run.isAlone && !isLate || (run.count - 1) % copies != 0
    }

    /// A run has ended and the next one begins.
    private mutating func begin(after pause: Double?, at now: BootInstant) {
        guard let pause else {
            run = Run(start: now, isAlone: true)
            return
        }
        let isApart = pause >= Self.pauseSeconds
        learn(isApart: isApart)
        let isUsual = defaultPause.map { pause <= $0 * Self.stallFactor } ?? true
        run = Run(start: now, isAlone: isApart && isUsual)
        if isApart { defaultPause = min(pause, defaultPause.map { $0 * 1.25 } ?? pause) }
    }

    /// Learns from the run that has ended; `isApart` says whether a pause follows it.
    private mutating func learn(isApart: Bool) {
        let length = last.map { $0.time.seconds(since: run.start) } ?? 0
        if run.isAlone, isApart, length <= Self.windowSeconds {
            copies = run.count
            crowd = (0, 0)
        } else if !run.isAlone, !isApart {
            crowd = (crowd.count + 1, Self.greatestDivisor(crowd.divisor, run.count))
            guard crowd.count == Self.crowdCount else { return }
            copies = crowd.divisor
            crowd = (0, 0)
        }
    }

    private static func greatestDivisor(_ first: Int, _ second: Int) -> Int {
        var (larger, smaller) = (first, second)
        while smaller > 0 { (larger, smaller) = (smaller, larger % smaller) }
        return larger
    }
}
