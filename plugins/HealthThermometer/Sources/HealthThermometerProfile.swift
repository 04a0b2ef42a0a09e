package import Bluetooth
package import ByteDecoding
import GatewayCore
package import HealthModel
import JSON
import Readings

/// The Health Thermometer Service, 0x1809: clinical thermometers.
package struct HealthThermometerProfile: GATTProfile {
    /// Temperature Measurement, which a thermometer indicates when it has finished one.
    static let measurement = BluetoothUUID(0x2A1C)
    /// Temperature Type, for a thermometer that always measures at the same place.
    static let temperatureType = BluetoothUUID(0x2A1D)
    /// The defined types; HealthKit's sensor locations have the same numbers.
    private static let knownTypes: ClosedRange<UInt8> = 1...9

    /// Makes the profile from `"healthThermometer"` or `{ use: "healthThermometer" }`.
    package static let factory = GATTProfileFactory(use: "healthThermometer", about: about) {
        node throws(ConfigurationError) in
        _ = try node.object(keys: ["use"])
        return HealthThermometerProfile()
    }

    /// The name in the configuration.
    package let name = "healthThermometer"
    /// Health Thermometer.
    package let service = BluetoothUUID(0x1809)
    /// The measurement.
    package let subscriptions = [Self.measurement]
    /// The place of measurement.
    package let reads = [Self.temperatureType]

    /// Decodes a measurement or the place of all measurements.
    package func decode(
        _ value: [UInt8], of characteristic: BluetoothUUID, from device: Device
    ) throws(ByteDecodingError) -> GATTDecoding {
        var reader = ByteReader(value)
        switch characteristic {
        case Self.measurement: return try measurement(&reader)
        case Self.temperatureType: return GATTDecoding([try location(try reader.uint8())])
        default: throw .unknown
        }
    }

    /// Decodes a Temperature Measurement (GATT Specification Supplement 3.217).
    private func measurement(
        _ reader: inout ByteReader
    ) throws(ByteDecodingError) -> GATTDecoding {
        let flags = BitFlags(try reader.uint8())
        let temperature = try reader.float()
        let time = flags[1] ? try reader.measurementTime() : nil
        var readings: [Reading] = []
        if flags[2] { readings.append(try location(try reader.uint8())) }
        guard let value = temperature.value else { return GATTDecoding(drops: [.empty]) }
        let unit = flags[0] ? Unit.degreeFahrenheit : .degreeCelsius
        readings.append(try .instant(.bodyTemperature, value, unit, measured: time))
        return GATTDecoding(readings)
    }

    private func location(_ type: UInt8) throws(ByteDecodingError) -> Reading {
        guard Self.knownTypes.contains(type) else { throw .invalid }
        var metadata = Metadata()
        do throws(MetadataError) {
            try metadata.set(Double(type), for: .bodyTemperatureSensorLocation)
        } catch {
            throw .invalid
        }
        return .metadata(metadata, for: .bodyTemperature)
    }
}

extension MetadataKey<Double> {
    /// HealthKit's place of a temperature measurement.
    fileprivate static var bodyTemperatureSensorLocation: Self {
        Self("HKBodyTemperatureSensorLocation")
    }
}
