import GatewayCore
package import Platform

/// A filter for duplicate notifications of one characteristic, which keeps values that are equal by
/// chance.
///
/// bluetoothd emits every notification once for each subscribed program, to all programs, within
/// 0.3 to 5 ms: when `pulsegate inspect` runs beside the gateway, both receive every value twice. A
/// duplicate is not marked, and the number of programs is unknown. The filter learns it from
/// isolated values, with a pause before and after them, and without such pauses from many values in
/// a row. When a disturbed radio or a busy machine delivers several values at the same time, one in
/// every N equal values is used, where N is the number of copies.
///
/// While no copies are known, only what comes within ``aloneSeconds`` may be one: a sensor that
/// sends the same value again in a later connection event keeps both. A copy that a busy machine
/// delivers later than that counts as a value, until another one has come in time.
///
/// Whether a program has just subscribed or the sensor has sent the same value twice cannot be
/// known. After the usual pause the second value counts as a duplicate: a sensor that sends two
/// equal values loses the second one. After a longer pause, when several values may have been
/// delayed, it counts as a value: a program that subscribed during this pause makes one value count
/// twice. The next isolated value corrects the number of copies.
package struct DuplicateNotificationFilter: Sendable {
    /// The maximum time between two copies, in seconds.
    static let windowSeconds = 0.05
    /// The same while every value so far came once: twice the shortest interval between connection
    /// events (Core Specification 5.4, Vol 6, Part B, 4.5.1).
    static let aloneSeconds = 0.015
    /// The minimum pause between isolated values, in seconds.
    static let pauseSeconds = 0.2
    /// A pause longer than the usual one by this factor may have delayed values.
    static let stallFactor = 1.5
    /// The number of runs without pauses from which the number of copies is learned.
    static let crowdCount = 16

    /// The number of copies of each value, as far as known.
    private var copies = 1
    private var last: (value: [UInt8], time: BootInstant)?
    private var run = Run(start: .distantPast, count: 0, isAlone: false)
    /// The usual pause; it adapts immediately to a shorter pause and slowly to a longer one.
    private var defaultPause: Double?
    /// The number of runs without pauses, and the greatest common divisor of their lengths.
    private var crowd = (count: 0, divisor: 0)

    /// Makes a filter that knows no other program.
    package init() {}

    /// A run of equal values, each within the window of the previous one.
    private struct Run {
        let start: BootInstant
        var count = 1
        /// Whether it followed the usual pause, and so should be one value with its copies.
        let isAlone: Bool
    }

    /// Adds a value; returns whether it is a copy of an earlier one.
    package mutating func isCopy(_ value: [UInt8], at now: BootInstant) -> Bool {
        let pause = last.map { now.seconds(since: $0.time) }
        defer { last = (value, now) }
        let window = copies > 1 || run.count > 1 ? Self.windowSeconds : Self.aloneSeconds
        guard let pause, pause <= window, last?.value == value else {
            begin(after: pause, at: now)
            return false
        }
        run.count += 1
        let isLate = now.seconds(since: run.start) > Self.windowSeconds
        return run.isAlone && !isLate || (run.count - 1) % copies != 0
    }

    /// Ends the current run and starts the next one.
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

    /// Learns from the run that has ended; `isApart` is whether a pause follows it.
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
