import Bluetooth
import ByteDecoding
import HealthModel
import Readings

/// A field of a record: the flag that announces it, its bytes, and what it reports.
struct MachineField: Sendable {
    /// The number at the start of the field.
    enum Number: Sendable {
        case uint8
        case uint16
        case uint24
        case int16
    }

    /// What the number reports.
    enum Meaning: Sendable {
        /// A value of which `countsPerUnit` make one unit.
        case value(QuantityType, Unit, countsPerUnit: Double)
        /// A total since the machine was started.
        case total(QuantityType, Unit)
        /// The heart rate; 0 without a sensor.
        case heartRate
        /// The speed on a treadmill.
        case treadmillSpeed
        /// The seconds for 500 m; 0 when the machine stands still.
        case pace(QuantityType)
    }

    /// The speeds of machines are in 0.01 km/h.
    static let countsPerMeterPerSecond = 360.0
    /// The distance of a pace, in metres.
    private static let paceDistance = 500.0
    /// The speed at which people change from walking to running, in m/s.
    private static let runningSpeed = 2.0

    let bit: Int
    /// The number of bytes.
    let length: Int
    /// The number of bytes in records of another edition of the service.
    let shortLength: Int
    private let content: (number: Number, meaning: Meaning)?

    /// Makes a field that reports something, and then has `rest` bytes without a quantity type.
    init(_ bit: Int, _ number: Number, _ meaning: Meaning, rest: Int = 0) {
        self.bit = bit
        length = number.length + rest
        shortLength = length
        content = (number, meaning)
    }

    /// Makes a field without a quantity type.
    init(_ bit: Int, unused length: Int, orShorter shortLength: Int? = nil) {
        self.bit = bit
        self.length = length
        self.shortLength = shortLength ?? length
        content = nil
    }

    /// Whether a record has the field; bit 0, More Data, is set when its field is missing.
    func isPresent(in flags: BitFlags<UInt32>) -> Bool {
        flags[bit] != (bit == 0)
    }

    /// Reads the field of so many bytes; nil when there is nothing to report.
    func read(
        _ reader: inout ByteReader, length: Int
    ) throws(ByteDecodingError) -> Reading? {
        var field = ByteReader(Array(try reader.bytes(length)))
        guard let content, let number = try content.number.read(&field) else { return nil }
        return try Self.reading(number, content.meaning)
    }

    private static func reading(
        _ number: Double, _ meaning: Meaning
    ) throws(ByteDecodingError) -> Reading? {
        switch meaning {
        case .value(let type, let unit, let countsPerUnit):
            // Who brakes with the legs has a negative power, which is none.
            return try .instant(type, max(0, number) / countsPerUnit, unit)
        case .total(let type, let unit):
            return .counter(CounterReading(type, value: number, unit: unit))
        case .heartRate:
            return number > 0 ? try .instant(.heartRate, number, .countPerMinute) : nil
        case .treadmillSpeed:
            let speed = number / countsPerMeterPerSecond
            let type: QuantityType = speed < runningSpeed ? .walkingSpeed : .runningSpeed
            return try .instant(type, speed, .meterPerSecond)
        case .pace(let type):
            return number > 0 ? try .instant(type, paceDistance / number, .meterPerSecond) : nil
        }
    }
}

extension MachineField.Number {
    /// The number of bytes.
    var length: Int {
        switch self {
        case .uint8: 1
        case .uint16, .int16: 2
        case .uint24: 3
        }
    }

    /// Reads a number; nil for the largest one, which a machine sends when it does not know the
    /// value.
    func read(_ reader: inout ByteReader) throws(ByteDecodingError) -> Double? {
        let (number, unknown): (Int, Int) =
            switch self {
            case .uint8: (Int(try reader.uint8()), Int(UInt8.max))
            case .uint16: (Int(try reader.uint16()), Int(UInt16.max))
            case .uint24: (Int(try reader.uint24()), 0xFF_FFFF)
            case .int16: (Int(try reader.int16()), Int(Int16.max))
            }
        return number == unknown ? nil : Double(number)
    }
}
