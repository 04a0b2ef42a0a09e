import Bluetooth
import ByteDecoding
import HealthModel
import Platform
import Readings

/// A crank that sends its revolutions (16 bits) and the time of the last one (16 bits, in 1/1024 s).
struct CrankProfile: StatefulGATTProfile {
    static let measurement = BluetoothUUID(long: 0x5B76_0002_B423_491B_AECA_4A16_8AB3_E1EB)

    let name = "crank"
    let service = BluetoothUUID(long: 0x5B76_0001_B423_491B_AECA_4A16_8AB3_E1EB)
    let subscriptions = [Self.measurement]

    func makeDecoder() -> any GATTDecoder { CrankDecoder() }
}

/// It remembers one value.
struct CrankDecoder: GATTDecoder {
    private var last: (turns: UInt16, ticks: UInt16)?

    mutating func decode(
        _ value: [UInt8], of characteristic: BluetoothUUID, from device: Device,
        at receipt: BootInstant
    ) throws(ByteDecodingError) -> GATTDecoding {
        guard characteristic == CrankProfile.measurement else { throw .unknown }
        var reader = ByteReader(value)
        let (turns, ticks) = (try reader.uint16(), try reader.uint16())
        defer { last = (turns, ticks) }
        guard let last, ticks != last.ticks else { return GATTDecoding() }
        // The differences are right when a number has rolled over, too.
        let minutes = Double(ticks &- last.ticks) / 1_024 / 60
        let rate = Double(turns &- last.turns) / minutes
        guard let cadence = try? Quantity(rate, .countPerMinute) else { throw .invalid }
        return GATTDecoding([.instant(.cyclingCadence, cadence)])
    }
}
