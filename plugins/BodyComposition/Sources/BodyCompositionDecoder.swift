import Bluetooth
import ByteDecoding
import HealthModel
import Platform
import Readings

/// The decoder of one link; a measurement may come in two parts, of which only the first has the
/// time and the user.
struct BodyCompositionDecoder: GATTDecoder {
    /// Whose measurement it is, and when.
    private struct Head {
        let time: MeasurementTime?
        let user: UInt8?
        let receipt: BootInstant
        let isSecondPart: Bool
    }

    /// The body fat of a measurement that was not successful.
    private static let unsuccessful = UInt16.max
    /// The longest time between the parts of a measurement, in seconds.
    static let longestPauseSeconds = 30.0

    let user: DeviceUser
    /// The first part of a measurement that has two.
    private var head: Head?

    init(user: DeviceUser) {
        self.user = user
    }

    /// Decodes a Body Composition Measurement (GATT Specification Supplement 3.33).
    mutating func decode(
        _ value: [UInt8], of characteristic: BluetoothUUID, from device: Device,
        at receipt: BootInstant
    ) throws(ByteDecodingError) -> GATTDecoding {
        guard characteristic == BodyCompositionProfile.measurement else { throw .unknown }
        var reader = ByteReader(value)
        let flags = BitFlags(try reader.uint16())
        let fat = try reader.uint16()
        let new = try head(flags, &reader, at: receipt)
        let measured = try measurements(flags, &reader, new.time)
        let isSecondPart = new.isSecondPart
        head = flags[12] && !isSecondPart ? new : nil
        guard user.accepts(new.user) else { return GATTDecoding(drops: [.otherUser]) }
        guard fat != Self.unsuccessful else { return GATTDecoding(drops: [.empty]) }
        guard !isSecondPart else { return GATTDecoding(measured) }
        let share = try Reading.instant(
            .bodyFatPercentage, Double(fat) / 1_000, .percent, measured: new.time)
        return GATTDecoding([share] + measured)
    }

    /// Reads the time and the user; what a second part lacks is that of the first.
    private func head(
        _ flags: BitFlags<UInt16>, _ reader: inout ByteReader, at receipt: BootInstant
    ) throws(ByteDecodingError) -> Head {
        let time = flags[1] ? try reader.measurementTime() : nil
        let user = flags[2] ? try reader.uint8() : nil
        guard flags[12], let first = head,
            receipt.seconds(since: first.receipt) <= Self.longestPauseSeconds
        else { return Head(time: time, user: user, receipt: receipt, isSecondPart: false) }
        return Head(
            time: time ?? first.time, user: user ?? first.user, receipt: receipt,
            isSecondPart: true)
    }

    /// Reads the rest; what has no quantity type is skipped.
    private func measurements(
        _ flags: BitFlags<UInt16>, _ reader: inout ByteReader, _ time: MeasurementTime?
    ) throws(ByteDecodingError) -> [Reading] {
        let isImperial = flags[0]
        let mass = isImperial ? (Unit.pound, 100.0) : (Unit.kilogram, 200.0)
        let length = isImperial ? (Unit.inch, 10.0) : (Unit.meter, 1_000.0)
        let fields: [(bit: Int, type: QuantityType?, unit: (Unit, Double))] = [
            (3, nil, mass),  // basal metabolism
            (4, nil, mass),  // muscle percentage
            (5, nil, mass),  // muscle mass
            (6, .leanBodyMass, mass),
            (7, nil, mass),  // soft lean mass
            (8, nil, mass),  // body water mass
            (9, nil, mass),  // impedance
            (10, .bodyMass, mass),
            (11, .height, length),
        ]
        var readings: [Reading] = []
        for field in fields where flags[field.bit] {
            let number = try reader.uint16()
            guard let type = field.type, number > 0 else { continue }
            let (unit, countsPerUnit) = field.unit
            readings.append(
                try .instant(type, Double(number) / countsPerUnit, unit, measured: time))
        }
        return readings
    }
}
