package import Bluetooth
package import ByteDecoding
import GatewayCore
package import HealthModel
import Readings

/// The Heart Rate Service, 0x180D: chest straps, arm bands and watches that broadcast their heart rate.
package struct HeartRateProfile: GATTProfile {
    /// Heart Rate Measurement, which a sensor notifies about once a second.
    static let measurement = BluetoothUUID(0x2A37)
    /// Body Sensor Location.
    static let bodySensorLocation = BluetoothUUID(0x2A38)
    /// Heart Rate Control Point.
    static let controlPoint = BluetoothUUID(0x2A39)
    /// The defined body sensor locations; other values are reserved.
    static let knownLocations: ClosedRange<UInt8> = 0...6
    /// The value at which Energy Expended saturates until it is reset.
    static let energyLimit = UInt16.max
    /// Resets Energy Expended (Heart Rate Service 1.0, §3.3).
    static let resetEnergy = GATTWrite([0x01], to: controlPoint)

    /// The name in the configuration.
    package let name = "heartRate"
    /// Heart Rate.
    package let service = BluetoothUUID(0x180D)
    /// The measurement.
    package let subscriptions = [Self.measurement]
    /// The body sensor location.
    package let reads = [Self.bodySensorLocation]

    /// The silence limit; a worn strap notifies once a second.
    package let silenceLimitSeconds: Double? = 10

    private let usesEnergy: Bool
    /// Configured quirks come first and take precedence.
    private let quirks: [HeartRateQuirk]

    /// Makes the profile.
    ///
    /// - Parameters:
    ///   - usesEnergy: Whether to record the energy expended.
    ///   - quirks: Quirks that take precedence over the built-in table.
    package init(usesEnergy: Bool = true, quirks: [HeartRateQuirk] = []) {
        self.usesEnergy = usesEnergy
        self.quirks = quirks + HeartRateQuirk.table
    }

    /// Decodes a value of one of the two characteristics.
    package func decode(
        _ value: [UInt8], of characteristic: BluetoothUUID, from device: Device
    ) throws(ByteDecodingError) -> GATTDecoding {
        switch characteristic {
        case Self.measurement: try measurement(value, from: device)
        case Self.bodySensorLocation: GATTDecoding([try location(value)])
        default: throw .unknown
        }
    }

    /// Decodes a measurement; without contact the rate and intervals are noise and are ignored.
    ///
    /// A rate of 0 means no contact, whatever the contact bits are. For a sensor without contact
    /// detection the contact state is unknown.
    private func measurement(
        _ value: [UInt8], from device: Device
    ) throws(ByteDecodingError) -> GATTDecoding {
        let measurement = try HeartRateMeasurement(value)
        let contact: HeartRateMeasurement.Contact =
            quirks.contactBits(of: device) == .ignored ? .notSupported : measurement.contact
        var result = GATTDecoding(drops: measurement.endsInsideRRInterval ? [.damaged] : [])
        let hasHeart = contact != .lost && measurement.heartRate > 0
        let supportsContact = contact != .notSupported
        result.readings.append(.state(.contact(supportsContact ? hasHeart : nil)))
        if hasHeart {
            result.readings.append(.instant(.heartRate, try quantity(measurement.heartRate)))
        } else if !supportsContact {
            // Otherwise nothing would show why there is no heart rate.
            result.drops.append(.empty)
        }
        if usesEnergy, let energy = measurement.energyExpended {
            result.readings += try energyReadings(kilojoules: energy)
            if energy == Self.energyLimit { result.writes.append(Self.resetEnergy) }
        }
        let rrIntervals = measurement.rrIntervals(in: value)
        if hasHeart, !rrIntervals.isEmpty {
            let ticks = rrIntervals.map(UInt32.init)
            let unit = quirks.rrUnit(of: device)
            result.readings.append(.beats(BeatsReading(ticks: ticks, perSecond: unit.perSecond)))
        }
        return result
    }

    private func quantity(_ heartRate: UInt16) throws(ByteDecodingError) -> Quantity {
        do throws(QuantityError) {
            return try Quantity(Double(heartRate), .countPerMinute)
        } catch {
            throw .invalid
        }
    }

    /// The energy readings; the sensor estimates the energy from the heart rate, so they are marked.
    private func energyReadings(kilojoules: UInt16) throws(ByteDecodingError) -> [Reading] {
        let counter = CounterReading(
            .activeEnergyBurned, value: Double(kilojoules),
            range: .saturates(at: Double(Self.energyLimit)), unit: .kilojoule)
        let entry = try metadata(true, for: .estimatedByDevice)
        return [.metadata(entry, for: .activeEnergyBurned), .counter(counter)]
    }

    /// Decodes the body sensor location; HealthKit uses the same numbers as Bluetooth.
    private func location(_ value: [UInt8]) throws(ByteDecodingError) -> Reading {
        guard let place = value.first, Self.knownLocations.contains(place) else { throw .invalid }
        let entry = try metadata(Double(place), for: .heartRateSensorLocation)
        return .metadata(entry, for: .heartRate)
    }

    private func metadata<Value>(
        _ value: Value, for key: MetadataKey<Value>
    ) throws(ByteDecodingError) -> Metadata {
        var metadata = Metadata()
        do throws(MetadataError) {
            try metadata.set(value, for: key)
        } catch {
            throw .invalid
        }
        return metadata
    }
}

extension MetadataKey<Bool> {
    /// Whether the sensor estimated the value instead of measuring it.
    fileprivate static var estimatedByDevice: Self { Self("PulsegateEstimatedByDevice") }
}
