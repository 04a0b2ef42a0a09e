package import Bluetooth
package import ByteDecoding
import GatewayCore
package import HealthModel
import JSON
import Readings

/// The Fitness Machine Service, 0x1826: treadmills, indoor bikes, rowers and cross trainers.
package struct FitnessMachineProfile: GATTProfile {
    /// Treadmill Data.
    static let treadmill = BluetoothUUID(0x2ACD)
    /// Cross Trainer Data.
    static let crossTrainer = BluetoothUUID(0x2ACE)
    /// Rower Data.
    static let rower = BluetoothUUID(0x2AD1)
    /// Indoor Bike Data.
    static let indoorBike = BluetoothUUID(0x2AD2)

    /// Makes the profile from `"fitnessMachine"` or `{ use: "fitnessMachine" }`.
    package static let factory = GATTProfileFactory(use: "fitnessMachine", about: about) {
        node throws(ConfigurationError) in
        _ = try node.object(keys: ["use"])
        return FitnessMachineProfile()
    }

    /// The name in the configuration.
    package let name = "fitnessMachine"
    /// Fitness Machine.
    package let service = BluetoothUUID(0x1826)
    /// The data of each kind of machine, about once a second; a machine has one of them.
    package let subscriptions = [treadmill, indoorBike, rower, crossTrainer]

    /// Decodes a record of a machine, or a part of one (Fitness Machine Service 1.0, §4.4 to §4.9).
    ///
    /// A machine splits a record that is too long for one notification. Each field is in one of the
    /// parts, so that each part is complete by itself, and nothing waits for a part that is lost.
    package func decode(
        _ value: [UInt8], of characteristic: BluetoothUUID, from device: Device
    ) throws(ByteDecodingError) -> GATTDecoding {
        guard let layout = Self.layout(of: characteristic) else { throw .unknown }
        let readings = try layout.readings(of: value)
        return readings.isEmpty ? GATTDecoding(drops: [.empty]) : GATTDecoding(readings)
    }

    private static func layout(of characteristic: BluetoothUUID) -> MachineLayout? {
        switch characteristic {
        case treadmill: .treadmill
        case crossTrainer: .crossTrainer
        case rower: .rower
        case indoorBike: .indoorBike
        default: nil
        }
    }
}
