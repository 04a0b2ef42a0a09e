package import Bluetooth
package import ByteDecoding
import GatewayCore
package import HealthModel
import JSON
import Readings

/// The Blood Pressure Service, 0x1810: cuffs.
package struct BloodPressureProfile: GATTProfile {
    /// Blood Pressure Measurement, which a cuff indicates when it has finished one.
    static let measurement = BluetoothUUID(0x2A35)

    /// Makes the profile from `"bloodPressure"` or `{ use: "bloodPressure", user: 1 }`.
    package static let factory = GATTProfileFactory(use: "bloodPressure", about: about) {
        node throws(ConfigurationError) in
        let settings = try node.object(keys: ["use", "user"])
        return BloodPressureProfile(user: try DeviceUser(settings["user"]))
    }

    /// The name in the configuration.
    package let name = "bloodPressure"
    /// Blood Pressure.
    package let service = BluetoothUUID(0x1810)
    /// The measurement.
    package let subscriptions = [Self.measurement]

    private let user: DeviceUser

    /// Makes the profile; it uses the measurements of one user of the cuff, or of all.
    package init(user: DeviceUser = DeviceUser()) {
        self.user = user
    }

    /// Decodes a Blood Pressure Measurement (GATT Specification Supplement 3.31).
    package func decode(
        _ value: [UInt8], of characteristic: BluetoothUUID, from device: Device
    ) throws(ByteDecodingError) -> GATTDecoding {
        guard characteristic == Self.measurement else { throw .unknown }
        var reader = ByteReader(value)
        let flags = BitFlags(try reader.uint8())
        let (systolic, diastolic) = (try reader.sfloat(), try reader.sfloat())
        _ = try reader.sfloat()  // The mean pressure, for which there is no type.
        let time = flags[1] ? try reader.measurementTime() : nil
        let pulse = flags[2] ? try reader.sfloat() : .notANumber
        let user = flags[3] ? try reader.uint8() : nil
        if flags[4] { try reader.skip(2) }
        guard self.user.accepts(user) else { return GATTDecoding(drops: [.otherUser]) }
        var result = GATTDecoding()
        if let systolic = systolic.value, let diastolic = diastolic.value {
            let unit = flags[0] ? Unit.kilopascal : .millimeterOfMercury
            result.readings.append(try pressure(systolic, diastolic, unit, time))
        }
        if let rate = pulse.value {
            result.readings.append(
                try .instant(.heartRate, rate, .countPerMinute, measured: time))
        }
        if result.readings.isEmpty { result.drops = [.empty] }
        return result
    }

    private func pressure(
        _ systolic: Double, _ diastolic: Double, _ unit: Unit, _ time: MeasurementTime?
    ) throws(ByteDecodingError) -> Reading {
        guard let systolic = try? Quantity(systolic, unit),
            let diastolic = try? Quantity(diastolic, unit)
        else { throw .invalid }
        let members = [
            CorrelationReading.Member(.bloodPressureSystolic, systolic),
            CorrelationReading.Member(.bloodPressureDiastolic, diastolic),
        ]
        return .correlation(CorrelationReading(.bloodPressure, members, measured: time))
    }
}
