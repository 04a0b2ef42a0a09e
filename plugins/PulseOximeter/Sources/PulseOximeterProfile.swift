package import Bluetooth
package import ByteDecoding
import GatewayCore
package import HealthModel
import JSON
import Readings

/// The Pulse Oximeter Service, 0x1822: sensors on a finger.
package struct PulseOximeterProfile: GATTProfile {
    /// PLX Spot-Check Measurement, which an oximeter indicates.
    static let spotCheck = BluetoothUUID(0x2A5E)
    /// PLX Continuous Measurement, which an oximeter notifies about once a second.
    static let continuous = BluetoothUUID(0x2A5F)
    /// The bits of the measurement status for data that is not a measurement: demonstration, test,
    /// calibration, unavailable, invalid.
    private static let unusable: UInt16 = 0b1011_1100_0000_0000

    /// Makes the profile from `"pulseOximeter"` or `{ use: "pulseOximeter" }`.
    package static let factory = GATTProfileFactory(use: "pulseOximeter", about: about) {
        node throws(ConfigurationError) in
        _ = try node.object(keys: ["use"])
        return PulseOximeterProfile()
    }

    /// The name in the configuration.
    package let name = "pulseOximeter"
    /// Pulse Oximeter.
    package let service = BluetoothUUID(0x1822)
    /// Both kinds of measurement; most oximeters offer one of them.
    package let subscriptions = [Self.spotCheck, Self.continuous]

    /// Decodes a measurement of either kind.
    package func decode(
        _ value: [UInt8], of characteristic: BluetoothUUID, from device: Device
    ) throws(ByteDecodingError) -> GATTDecoding {
        var reader = ByteReader(value)
        switch characteristic {
        case Self.spotCheck: return try spotCheck(&reader)
        case Self.continuous: return try continuous(&reader)
        default: throw .unknown
        }
    }

    /// Decodes a PLX Spot-Check Measurement (GATT Specification Supplement 3.179).
    private func spotCheck(_ reader: inout ByteReader) throws(ByteDecodingError) -> GATTDecoding {
        let flags = BitFlags(try reader.uint8())
        let (saturation, rate) = (try reader.sfloat(), try reader.sfloat())
        let time = flags[0] ? try reader.measurementTime() : nil
        let status = flags[1] ? try reader.uint16() : 0
        if flags[2] { try reader.skip(3) }
        let amplitude = flags[3] ? try reader.sfloat() : .notANumber
        let isClockSet = !flags[4]
        return try decoding(saturation, rate, amplitude, status, isClockSet ? time : nil)
    }

    /// Decodes a PLX Continuous Measurement (GATT Specification Supplement 3.177); of the three
    /// averages it uses the normal one.
    private func continuous(_ reader: inout ByteReader) throws(ByteDecodingError) -> GATTDecoding {
        let flags = BitFlags(try reader.uint8())
        let (saturation, rate) = (try reader.sfloat(), try reader.sfloat())
        if flags[0] { try reader.skip(4) }
        if flags[1] { try reader.skip(4) }
        let status = flags[2] ? try reader.uint16() : 0
        if flags[3] { try reader.skip(3) }
        let amplitude = flags[4] ? try reader.sfloat() : .notANumber
        return try decoding(saturation, rate, amplitude, status, nil)
    }

    private func decoding(
        _ saturation: MedicalFloat, _ rate: MedicalFloat, _ amplitude: MedicalFloat,
        _ status: UInt16, _ time: MeasurementTime?
    ) throws(ByteDecodingError) -> GATTDecoding {
        guard status & Self.unusable == 0 else { return GATTDecoding(drops: [.empty]) }
        var result = GATTDecoding()
        let percentages: [(QuantityType, MedicalFloat)] = [
            (.oxygenSaturation, saturation), (.peripheralPerfusionIndex, amplitude),
        ]
        for (type, percentage) in percentages {
            guard let value = percentage.value else { continue }
            result.readings.append(try .instant(type, value / 100, .percent, measured: time))
        }
        if let rate = rate.value {
            result.readings.append(
                try .instant(.heartRate, rate, .countPerMinute, measured: time))
        }
        if result.readings.isEmpty { result.drops = [.empty] }
        return result
    }
}
