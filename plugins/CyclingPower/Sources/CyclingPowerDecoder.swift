import Bluetooth
import ByteDecoding
import Cycling
import HealthModel
import Platform
import Readings

/// The decoder of one link, with the last turns of the wheel and of the crank.
struct CyclingPowerDecoder: GATTDecoder {
    private var turns: CyclingTurns

    init(wheel: Wheel) {
        // Twice as fine as that of Cycling Speed and Cadence.
        turns = CyclingTurns(wheel: wheel, wheelTicksPerSecond: 2_048)
    }

    /// Decodes a Cycling Power Measurement (GATT Specification Supplement 3.65).
    mutating func decode(
        _ value: [UInt8], of characteristic: BluetoothUUID, from device: Device,
        at receipt: BootInstant
    ) throws(ByteDecodingError) -> GATTDecoding {
        guard characteristic == CyclingPowerProfile.measurement else { throw .unknown }
        var reader = ByteReader(value)
        let flags = BitFlags(try reader.uint16())
        let power = Double(try reader.int16())
        if flags[0] { try reader.skip(1) }  // balance of the pedals
        if flags[2] { try reader.skip(2) }  // accumulated torque
        let wheel = flags[4] ? (try reader.uint32(), try reader.uint16()) : nil
        let crank = flags[5] ? (try reader.uint16(), try reader.uint16()) : nil
        try skipRest(flags, &reader)
        // Who brakes with the legs has a negative power, which is none.
        let readings = [try Reading.instant(.cyclingPower, max(0, power), .watt)]
        return GATTDecoding(
            readings + (try turns.readings(wheel: wheel, crank: crank, at: receipt)))
    }

    /// Skips the fields without a type; a value that ends within them is damaged.
    private func skipRest(
        _ flags: BitFlags<UInt16>, _ reader: inout ByteReader
    ) throws(ByteDecodingError) {
        let lengths = [6: 4, 7: 4, 8: 3, 9: 2, 10: 2, 11: 2]
        for (bit, length) in lengths.sorted(by: { $0.key < $1.key }) where flags[bit] {
            try reader.skip(length)
        }
    }
}
