import GatewayCore
package import HealthModel
package import Serial

/// A kind of text pedometer: how its line is set, what its lines look like, how it counts.
package struct LinePreset: Sendable {
    /// The word in the configuration.
    package let name: String
    /// The rate that the device's program sets, unless the configuration says another.
    package let baud: BaudRate
    /// What ends a line.
    package var terminator = LineTerminator.newline
    /// What its lines look like; the first that fits a line is taken.
    package let templates: [String]
    /// How far it counts steps.
    package let counter: StepCounter
    /// The unit of its distances.
    package var distanceUnit = Unit.meter
    /// Lines as the device prints them, without their terminator.
    package let examples: [String]
}

/// The integer in which a device counts steps.
package enum StepCounter: Sendable {
    /// So wide that nobody sees its end.
    case unbounded
    /// Rolls over at 65536.
    case unsigned16
    /// Rolls over at 65536, and is printed as a negative number from 32768 on: the `int` of an AVR.
    case signed16
    /// Rolls over at 2^32.
    case unsigned32

    /// What the counter does at the end of its range.
    var range: CounterReading.Range {
        switch self {
        case .unbounded: .unbounded
        case .unsigned16, .signed16: .rollsOver(at: 65_536)
        case .unsigned32: .rollsOver(at: 4_294_967_296)
        }
    }

    /// The steps counted, from the number that the device prints; `nil` when it cannot print it.
    func steps(printed number: Int64) -> Int64? {
        switch self {
        case .unbounded: number >= 0 ? number : nil
        case .unsigned16: UInt16(exactly: number).map(Int64.init)
        case .unsigned32: UInt32(exactly: number).map(Int64.init)
        case .signed16:
            // A board with a wider int prints 32768...65535 as they are.
            Int16(exactly: number).map { Int64(UInt16(bitPattern: $0)) }
                ?? UInt16(exactly: number).map(Int64.init)
        }
    }
}
