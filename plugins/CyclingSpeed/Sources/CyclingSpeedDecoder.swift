import Bluetooth
import ByteDecoding
import Cycling
import HealthModel
import Platform
import Readings

/// The decoder of one link, with the last turns of the wheel and of the crank.
struct CyclingSpeedDecoder: GATTDecoder {
    private var turns: CyclingTurns

    init(wheel: Wheel) {
        turns = CyclingTurns(wheel: wheel, wheelTicksPerSecond: 1_024)
    }

    /// Decodes a CSC Measurement (GATT Specification Supplement 3.63).
    mutating func decode(
        _ value: [UInt8], of characteristic: BluetoothUUID, from device: Device,
        at receipt: BootInstant
    ) throws(ByteDecodingError) -> GATTDecoding {
        guard characteristic == CyclingSpeedProfile.measurement else { throw .unknown }
        var reader = ByteReader(value)
        let flags = BitFlags(try reader.uint8())
        let wheel = flags[0] ? (try reader.uint32(), try reader.uint16()) : nil
        let crank = flags[1] ? (try reader.uint16(), try reader.uint16()) : nil
        guard wheel != nil || crank != nil else { return GATTDecoding(drops: [.empty]) }
        return GATTDecoding(try turns.readings(wheel: wheel, crank: crank, at: receipt))
    }
}
