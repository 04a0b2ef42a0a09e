package import Bluetooth
package import ByteDecoding
import GatewayCore
package import HealthModel
import JSON
import Readings

/// The motion service of InfiniTime, the open firmware of the PineTime watch.
package struct InfiniTimeProfile: GATTProfile {
    /// The steps since midnight or since the watch was started (32 bits).
    static let stepCount = BluetoothUUID(long: 0x0003_0001_78FC_48FE_8E23_433B_3A19_42D0)

    /// Makes the profile from `"infiniTime"` or `{ use: "infiniTime" }`.
    package static let factory = GATTProfileFactory(use: "infiniTime", about: about) {
        node throws(ConfigurationError) in
        _ = try node.object(keys: ["use"])
        return InfiniTimeProfile()
    }

    /// The name in the configuration.
    package let name = "infiniTime"
    /// The motion service; the watch does not advertise it.
    package let service = BluetoothUUID(long: 0x0003_0000_78FC_48FE_8E23_433B_3A19_42D0)
    /// The step count, which the watch notifies when it has changed.
    package let subscriptions = [Self.stepCount]

    /// Decodes the number of steps (InfiniTime, doc/MotionService.md).
    package func decode(
        _ value: [UInt8], of characteristic: BluetoothUUID, from device: Device
    ) throws(ByteDecodingError) -> GATTDecoding {
        guard characteristic == Self.stepCount else { throw .unknown }
        var reader = ByteReader(value)
        let steps = try reader.uint32()
        return GATTDecoding([
            .counter(CounterReading(.stepCount, value: Double(steps), unit: .count))
        ])
    }
}
