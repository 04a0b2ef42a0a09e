import ByteDecoding
import GatewayCore
package import HealthModel
import Readings
package import Serial

/// A preset for a text pedometer: baud rate, line format and counter.
package struct LinePreset: Sendable {
    /// The name in the configuration.
    package let name: String
    /// The default baud rate.
    package let baud: BaudRate
    /// The line terminator.
    package var terminator = LineTerminator.newline
    /// The line templates; the first match applies.
    package let templates: [String]
    /// The type of the step counter.
    package let counter: StepCounter
    /// The unit of distances.
    package var distanceUnit = Unit.meter
    /// Example lines without terminator.
    package let examples: [String]
}

/// The integer type of a step counter.
package enum StepCounter: Sendable {
    /// Does not roll over in practice.
    case unbounded
    /// Rolls over at 65536.
    case unsigned16
    /// Rolls over at 65536, and is printed as a negative number from 32768: `int` on AVR.
    case signed16
    /// Rolls over at 2^32.
    case unsigned32

    /// The range of the counter.
    var range: CounterReading.Range {
        switch self {
        case .unbounded: .unbounded
        case .unsigned16, .signed16: .rollsOver(at: 65_536)
        case .unsigned32: .rollsOver(at: 4_294_967_296)
        }
    }

    /// The step count for a printed number; `nil` if the number is out of range.
    func steps(printed number: Int64) -> Int64? {
        switch self {
        case .unbounded: number >= 0 ? number : nil
        case .unsigned16: UInt16(exactly: number).map(Int64.init)
        case .unsigned32: UInt32(exactly: number).map(Int64.init)
        case .signed16:
            // A board with a wider int prints 32768...65535 unchanged.
            Int16(exactly: number).map { Int64(UInt16(bitPattern: $0)) }
                ?? UInt16(exactly: number).map(Int64.init)
        }
    }
}

/// The bytes that end a line.
package enum LineTerminator: Sendable {
    /// A line feed, a carriage return, or both.
    case newline
    /// A semicolon; line feeds and carriage returns around it are white space.
    case semicolon

    /// The longest line, in bytes without its terminator.
    static let lengthLimit = 256

    /// A splitter of lines that end this way.
    var splitter: DelimitedSplitter {
        switch self {
        case .newline: .lines(lengthLimit: Self.lengthLimit)
        case .semicolon:
            DelimitedSplitter(delimiter: UInt8(ascii: ";"), lengthLimit: Self.lengthLimit)
        }
    }
}
