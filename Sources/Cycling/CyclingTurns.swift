import Bluetooth
public import ByteDecoding
import HealthModel
public import Platform
public import Readings

/// The turns of a wheel and of a crank as distance, speed and cadence.
///
/// The services for speed and cadence and for power both send them, with different clocks.
public struct CyclingTurns: Sendable {
    private let wheel: Wheel
    private var wheelRate: TurnRate
    private var crankRate = TurnRate(ticksPerSecond: 1_024, countBits: 16)

    /// Makes turns of a bicycle that has not moved.
    public init(wheel: Wheel, wheelTicksPerSecond: Double) {
        self.wheel = wheel
        wheelRate = TurnRate(ticksPerSecond: wheelTicksPerSecond, countBits: 32)
    }

    /// Returns the readings of the total turns, each with the time of the last turn by the clock of
    /// the sensor; a crank's clock has 1,024 ticks a second.
    public mutating func readings(
        wheel turns: (count: UInt32, ticks: UInt16)?, crank: (count: UInt16, ticks: UInt16)?,
        at receipt: BootInstant
    ) throws(ByteDecodingError) -> [Reading] {
        var readings: [Reading] = []
        if let turns {
            let counter = CounterReading(
                .distanceCycling, value: Double(turns.count), range: .rollsOver(at: 0x1p32),
                unit: .meter, countsPerUnit: 1 / wheel.circumference)
            readings.append(.counter(counter))
            if let rate = wheelRate.add(count: turns.count, ticks: turns.ticks, at: receipt) {
                let speed = rate * wheel.circumference
                readings.append(try .instant(.cyclingSpeed, speed, .meterPerSecond))
            }
        }
        if let crank,
            let rate = crankRate.add(
                count: UInt32(crank.count), ticks: crank.ticks, at: receipt)
        {
            readings.append(try .instant(.cyclingCadence, rate * 60, .countPerMinute))
        }
        return readings
    }
}
