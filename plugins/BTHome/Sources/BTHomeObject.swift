import HealthModel

/// A kind of object in BTHome data: its name, its length and what its number means (BTHome v2,
/// "Sensor data", "Binary Sensor data", "Events" and "Device information").
struct BTHomeObject: Hashable, Sendable {
    /// The object of a packet number.
    static let packet: UInt8 = 0x00
    /// The charge of the battery in percent.
    static let battery: UInt8 = 0x01
    /// The time of the measurement, in seconds since 1970.
    static let timestamp: UInt8 = 0x50
    /// The firmware versions, of four and of three numbers.
    static let firmwares: Set<UInt8> = [0xF1, 0xF2]
    /// The objects whose length is in their first byte: text and raw bytes.
    static let variable: Set<UInt8> = [0x53, 0x54]

    /// A number that can become a sample.
    struct Number: Hashable, Sendable {
        /// The name in the setting `values`.
        let name: String
        let isSigned: Bool
        /// What the number is multiplied with.
        let factor: Double
        let unit: HealthModel.Unit

        /// The counts of one unit.
        var countsPerUnit: Double { 1 / factor }

        /// The value of a number of counts; divided where that is exact: 2506 are 25.06.
        func value(_ counts: Double) -> Double {
            countsPerUnit.rounded() == countsPerUnit ? counts / countsPerUnit : counts * factor
        }
    }

    /// The number of bytes.
    let length: Int
    /// Its number; nil for an object that is only skipped.
    let number: Number?

    private static func number(
        _ name: String, _ length: Int, _ factor: Double, _ unit: HealthModel.Unit,
        isSigned: Bool = false
    ) -> BTHomeObject {
        BTHomeObject(
            length: length,
            number: Number(name: name, isSigned: isSigned, factor: factor, unit: unit))
    }

    private static func skipped(_ length: Int) -> BTHomeObject {
        BTHomeObject(length: length, number: nil)
    }

    /// The objects by their identifier.
    static let all: [UInt8: BTHomeObject] = {
        var all = measurements
        // On or off, such as a door; buttons; the type of the device.
        for id in UInt8(0x0F)...0x11 { all[id] = skipped(1) }
        for id in UInt8(0x15)...0x2D { all[id] = skipped(1) }
        for (id, length) in lengths { all[id] = skipped(length) }
        return all
    }()

    private static let measurements: [UInt8: BTHomeObject] = [
        0x02: number("temperature", 2, 0.01, .degreeCelsius, isSigned: true),
        0x45: number("temperature", 2, 0.1, .degreeCelsius, isSigned: true),
        0x57: number("temperature", 1, 1, .degreeCelsius, isSigned: true),
        0x58: number("temperature", 1, 0.35, .degreeCelsius, isSigned: true),
        0x03: number("humidity", 2, 0.000_1, .percent), 0x2E: number("humidity", 1, 0.01, .percent),
        0x14: number("moisture", 2, 0.000_1, .percent), 0x2F: number("moisture", 1, 0.01, .percent),
        0x04: number("pressure", 3, 0.001, .kilopascal),
        0x06: number("mass", 2, 0.01, .kilogram), 0x07: number("mass", 2, 0.01, .pound),
        0x08: number("dewPoint", 2, 0.01, .degreeCelsius, isSigned: true),
        0x09: number("count", 1, 1, .count), 0x3D: number("count", 2, 1, .count),
        0x3E: number("count", 4, 1, .count),
        0x59: number("count", 1, 1, .count, isSigned: true),
        0x5A: number("count", 2, 1, .count, isSigned: true),
        0x5B: number("count", 4, 1, .count, isSigned: true),
        0x0A: number("energy", 3, 3.6, .kilojoule), 0x4D: number("energy", 4, 3.6, .kilojoule),
        0x0B: number("power", 3, 0.01, .watt),
        0x5C: number("power", 4, 0.01, .watt, isSigned: true),
        0x40: number("distance", 2, 0.001, .meter), 0x41: number("distance", 2, 0.1, .meter),
        0x42: number("duration", 3, 0.001, .second),
        0x44: number("speed", 2, 0.01, .meterPerSecond),
        0x62: number("speed", 4, 0.000_001, .meterPerSecond, isSigned: true),
        0x61: number("rotation", 2, 1, .countPerMinute),
    ]

    /// The lengths of the objects that have no unit here.
    private static let lengths: [UInt8: Int] = [
        0x05: 3, 0x0C: 2, 0x0D: 2, 0x0E: 2, 0x12: 2, 0x13: 2, 0x3A: 1, 0x3C: 2, 0x3F: 2, 0x43: 2,
        0x46: 1, 0x47: 2, 0x48: 2, 0x49: 2, 0x4A: 2, 0x4B: 3, 0x4C: 4, 0x4E: 4, 0x4F: 4, 0x51: 2,
        0x52: 2, 0x55: 4, 0x56: 2, 0x5D: 2, 0x5E: 2, 0x5F: 2, 0x60: 1, 0x63: 4, 0x64: 1,
        packet: 1, battery: 1, timestamp: 4, 0xF0: 2, 0xF1: 4, 0xF2: 3,
    ]
}
