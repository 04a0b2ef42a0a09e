package import Bluetooth
import GatewayCore
package import HealthModel

/// The Heart Rate Service, 0x180D: chest straps, arm bands and watches that broadcast their heart rate.
package struct HeartRateProfile: GATTProfile {
    /// Heart Rate Measurement, which a sensor notifies about once a second.
    static let measurement = BluetoothUUID(0x2A37)
    /// Body Sensor Location.
    static let bodySensorLocation = BluetoothUUID(0x2A38)
    /// Heart Rate Control Point.
    static let controlPoint = BluetoothUUID(0x2A39)
    /// Other, chest, wrist, finger, hand, ear lobe, foot; the rest is reserved.
    static let knownLocations: ClosedRange<UInt8> = 0...6
    /// Where Energy Expended stays until the sensor is reset.
    static let energyLimit = UInt16.max
    /// Sets Energy Expended to zero (Heart Rate Service 1.0, §3.3).
    static let resetEnergy = GATTWrite([0x01], to: controlPoint)

    /// The word for it in the configuration.
    package let name = "heartRate"
    /// Heart Rate.
    package let service = BluetoothUUID(0x180D)
    /// The measurement.
    package let subscriptions = [Self.measurement]
    /// Where on the body the sensor sits.
    package let reads = [Self.bodySensorLocation]

    /// A strap that is worn notifies once a second.
    package let silenceLimitSeconds: Double? = 10

    private let usesEnergy: Bool
    /// The user's own first, so that they win.
    private let quirks: [HeartRateQuirk]

    /// Makes the profile.
    ///
    /// - Parameters:
    ///   - usesEnergy: Whether the energy that a sensor says was spent becomes samples.
    ///   - quirks: What is known of sensors beside the built-in table, over which they win.
    package init(usesEnergy: Bool = true, quirks: [HeartRateQuirk] = []) {
        self.usesEnergy = usesEnergy
        self.quirks = quirks + HeartRateQuirk.table
    }

    /// Says what a value of one of the two characteristics means.
    package func decode(
        _ value: [UInt8], of characteristic: BluetoothUUID, from device: Device
    ) throws(GATTDecodingError) -> GATTDecoding {
        switch characteristic {
        case Self.measurement: try measurement(value, from: device)
        case Self.bodySensorLocation: GATTDecoding([try location(value)])
        default: throw .unknownCharacteristic
        }
    }

    /// Without contact a sensor's rate and intervals are noise.
    ///
    /// A rate of 0 says that it feels no heart, even if its contact bits say otherwise; a sensor without
    /// such bits says nothing of contact.
    private func measurement(
        _ value: [UInt8], from device: Device
    ) throws(GATTDecodingError) -> GATTDecoding {
        let measurement = try HeartRateMeasurement(value)
        let contact: HeartRateMeasurement.Contact =
            quirks.contactBits(of: device) == .ignored ? .notSupported : measurement.contact
        var result = GATTDecoding(drops: measurement.endsInsideRRInterval ? [.damaged] : [])
        let hasHeart = contact != .lost && measurement.heartRate > 0
        let isTold = contact != .notSupported
        result.readings.append(.state(.contact(isTold ? hasHeart : nil)))
        if hasHeart {
            result.readings.append(.instant(.heartRate, try quantity(measurement.heartRate)))
        } else if !isTold {
            // Else nothing would show why there is no heart rate.
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

    private func quantity(_ heartRate: UInt16) throws(GATTDecodingError) -> Quantity {
        do throws(QuantityError) {
            return try Quantity(Double(heartRate), .countPerMinute)
        } catch {
            throw .invalid
        }
    }

    /// The sensor works the energy out from the heart rate, so it is marked as an estimate.
    private func energyReadings(kilojoules: UInt16) throws(GATTDecodingError) -> [Reading] {
        let counter = CounterReading(
            .activeEnergyBurned, value: Double(kilojoules),
            range: .saturates(at: Double(Self.energyLimit)), unit: .kilojoule)
        let entry = try metadata(true, for: .estimatedByDevice)
        return [.metadata(entry, for: .activeEnergyBurned), .counter(counter)]
    }

    /// HealthKit numbers the places on the body as Bluetooth does.
    private func location(_ value: [UInt8]) throws(GATTDecodingError) -> Reading {
        guard let place = value.first, Self.knownLocations.contains(place) else { throw .invalid }
        let entry = try metadata(Double(place), for: .heartRateSensorLocation)
        return .metadata(entry, for: .heartRate)
    }

    private func metadata<Value>(
        _ value: Value, for key: MetadataKey<Value>
    ) throws(GATTDecodingError) -> Metadata {
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
    /// Whether the sensor worked the value out from others instead of measuring it.
    fileprivate static var estimatedByDevice: Self { Self("PulsegateEstimatedByDevice") }
}
