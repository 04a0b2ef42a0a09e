import ByteDecoding
import HealthModel
import Readings

/// The layout of the records of one kind of machine.
struct MachineLayout: Sendable {
    /// The number of bytes of the flags, 2 or 3.
    let flagsLength: Int
    /// The fields, in their order in a record.
    let fields: [MachineField]

    /// Decodes a record or a part of one; reserved flags and extra bytes are ignored.
    func readings(of value: [UInt8]) throws(ByteDecodingError) -> [Reading] {
        var reader = ByteReader(value)
        let flags = BitFlags(
            flagsLength == 3 ? try reader.uint24() : UInt32(try reader.uint16()))
        let present = fields.filter { $0.isPresent(in: flags) }
        // Nothing but the length tells which edition of the service a machine follows.
        let isShort = reader.remainingCount == present.map(\.shortLength).reduce(0, +)
        var readings: [Reading] = []
        for field in present {
            let length = isShort ? field.shortLength : field.length
            if let reading = try field.read(&reader, length: length) { readings.append(reading) }
        }
        return readings
    }
}

/// The layouts of the Fitness Machine Service.
///
/// Version 1.0 has one byte for the pace of a treadmill and two for the resistance level; in the
/// GATT Specification Supplement it is the reverse.
extension MachineLayout {
    /// Treadmill Data (Fitness Machine Service 1.0, §4.4).
    static let treadmill = MachineLayout(
        flagsLength: 2,
        fields: [
            MachineField(0, .uint16, .treadmillSpeed),
            MachineField(1, unused: 2),  // average speed
            MachineField(2, .uint24, .total(.distanceWalkingRunning, .meter)),
            MachineField(3, unused: 4),  // inclination, angle of the ramp
            MachineField(4, unused: 4),  // elevation gain, up and down
            MachineField(5, unused: 2, orShorter: 1),  // pace
            MachineField(6, unused: 2, orShorter: 1),  // average pace
        ] + body(fromBit: 7) + [
            MachineField(12, unused: 4)  // force on the belt, power
        ])

    /// Indoor Bike Data (Fitness Machine Service 1.0, §4.9).
    static let indoorBike = MachineLayout(
        flagsLength: 2,
        fields: [
            MachineField(0, .uint16, speed(.cyclingSpeed)),
            MachineField(1, unused: 2),  // average speed
            MachineField(2, .uint16, .value(.cyclingCadence, .countPerMinute, countsPerUnit: 2)),
            MachineField(3, unused: 2),  // average cadence
            MachineField(4, .uint24, .total(.distanceCycling, .meter)),
            MachineField(5, unused: 2, orShorter: 1),  // resistance level
            MachineField(6, .int16, .value(.cyclingPower, .watt, countsPerUnit: 1)),
            MachineField(7, unused: 2),  // average power
        ] + body(fromBit: 8))

    /// Rower Data (Fitness Machine Service 1.0, §4.8).
    static let rower = MachineLayout(
        flagsLength: 2,
        fields: [
            MachineField(0, unused: 3),  // stroke rate, stroke count
            MachineField(1, unused: 1),  // average stroke rate
            MachineField(2, .uint24, .total(.distanceRowing, .meter)),
            MachineField(3, .uint16, .pace(.rowingSpeed)),
            MachineField(4, unused: 2),  // average pace
            MachineField(5, unused: 2),  // power
            MachineField(6, unused: 2),  // average power
            MachineField(7, unused: 2, orShorter: 1),  // resistance level
        ] + body(fromBit: 8))

    /// Cross Trainer Data (Fitness Machine Service 1.0, §4.5).
    ///
    /// No quantity type is for the movement on one: it is neither a walk nor a ride.
    static let crossTrainer = MachineLayout(
        flagsLength: 3,
        fields: [
            MachineField(0, unused: 2),  // speed
            MachineField(1, unused: 2),  // average speed
            MachineField(2, unused: 3),  // distance
            MachineField(3, unused: 4),  // step rate, average step rate
            MachineField(4, unused: 2),  // stride count
            MachineField(5, unused: 4),  // elevation gain, up and down
            MachineField(6, unused: 4),  // inclination, angle of the ramp
            MachineField(7, unused: 2, orShorter: 1),  // resistance level
            MachineField(8, unused: 2),  // power
            MachineField(9, unused: 2),  // average power
        ] + body(fromBit: 10))

    /// The fields that all machines have in the same order: energy, heart rate, time.
    private static func body(fromBit bit: Int) -> [MachineField] {
        [
            // The total, and the energy per hour and per minute.
            MachineField(bit, .uint16, .total(.activeEnergyBurned, .kilocalorie), rest: 3),
            MachineField(bit + 1, .uint8, .heartRate),
            MachineField(bit + 2, unused: 1),  // metabolic equivalent
            MachineField(bit + 3, unused: 2),  // elapsed time
            MachineField(bit + 4, unused: 2),  // remaining time
        ]
    }

    private static func speed(_ type: QuantityType) -> MachineField.Meaning {
        .value(type, .meterPerSecond, countsPerUnit: MachineField.countsPerMeterPerSecond)
    }
}
