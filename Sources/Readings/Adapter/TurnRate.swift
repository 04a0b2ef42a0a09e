public import Platform

/// The rate of turns of a wheel or crank, from a count of turns and the time of the last one by the
/// device's own clock.
///
/// Both roll over. A sensor that stands still repeats its last values: after three seconds the rate
/// is zero. The rate is unknown after the first values, after a pause in which the clock may have
/// rolled over, and when the count was set back.
public struct TurnRate: Sendable {
    /// The time without a turn after which the rate is zero, in seconds.
    static let standstillSeconds = 3.0
    /// The part of the clock's period within which two times are compared.
    static let comparablePart = 0.9

    private struct Turn {
        let count: UInt32
        let ticks: UInt16
        /// The receipt of the first value with this turn, and of the last one.
        let receipt: BootInstant
        var lastReceipt: BootInstant
    }

    private let ticksPerSecond: Double
    private let countMask: UInt32
    private var last: Turn?

    /// Makes a rate of unknown value.
    ///
    /// - Parameters:
    ///   - ticksPerSecond: The resolution of the device's clock, of which 16 bits are sent.
    ///   - countBits: The number of bits of the count, 16 or 32.
    public init(ticksPerSecond: Double, countBits: Int) {
        self.ticksPerSecond = ticksPerSecond
        countMask = countBits >= 32 ? .max : 1 << UInt32(max(1, countBits)) - 1
    }

    /// Adds a count and the time of its last turn.
    ///
    /// - Returns: The turns per second; nil when they are not known, or as before.
    public mutating func add(
        count: UInt32, ticks: UInt16, at receipt: BootInstant
    ) -> Double? {
        guard var last else {
            start(count, ticks, receipt)
            return nil
        }
        let turns = (count &- last.count) & countMask
        let elapsed = ticks &- last.ticks
        let pause = receipt.seconds(since: last.lastReceipt)
        let period = 65_536 / ticksPerSecond
        guard pause >= 0, pause < period * Self.comparablePart, turns <= countMask / 2 else {
            start(count, ticks, receipt)
            return nil
        }
        guard turns > 0, elapsed > 0 else {
            last.lastReceipt = receipt
            self.last = last
            let isStill = receipt.seconds(since: last.receipt) >= Self.standstillSeconds
            return isStill ? 0 : nil
        }
        let hasRolledOver = receipt.seconds(since: last.receipt) >= period * Self.comparablePart
        start(count, ticks, receipt)
        return hasRolledOver ? nil : Double(turns) * ticksPerSecond / Double(elapsed)
    }

    private mutating func start(_ count: UInt32, _ ticks: UInt16, _ receipt: BootInstant) {
        last = Turn(count: count, ticks: ticks, receipt: receipt, lastReceipt: receipt)
    }
}
