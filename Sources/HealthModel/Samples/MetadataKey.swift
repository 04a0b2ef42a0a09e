/// A metadata key with the type of its value.
public struct MetadataKey<Value: MetadataRepresentable>: Hashable, Sendable {
    /// The raw key in the metadata.
    ///
    /// In HealthKit it often differs from the constant's name: the value of
    /// `HKMetadataKeyHeartRateSensorLocation` is `HKHeartRateSensorLocation`.
    public let name: String

    /// Makes a key.
    public init(_ name: String) {
        self.name = name
    }
}

/// A type whose values can be metadata.
public protocol MetadataRepresentable: Sendable {
    /// The value as metadata.
    var metadataValue: MetadataValue { get }
    /// Makes the value from metadata; nil for another kind.
    init?(metadataValue: MetadataValue)
}

extension MetadataKey<Double> {
    /// The location of a heart rate sensor: 0 other, 1 chest, 2 wrist, 3 finger, 4 hand, 5 ear
    /// lobe, 6 foot; the numbers of Bluetooth's Body Sensor Location (0x2A38).
    public static var heartRateSensorLocation: Self { Self("HKHeartRateSensorLocation") }
    /// The person's activity during the measurement: 0 not set, 1 sedentary, 2 active.
    public static var heartRateMotionContext: Self { Self("HKMetadataKeyHeartRateMotionContext") }
    /// The test before a heart rate recovery: 1 maximal exercise, 2 submaximal exercise, 3 no
    /// exercise.
    public static var heartRateRecoveryTestType: Self {
        Self("HKMetadataKeyHeartRateRecoveryTestType")
    }
    /// HealthKit's number of the activity before the recovery.
    public static var heartRateRecoveryActivityType: Self {
        Self("HKMetadataKeyHeartRateRecoveryActivityType")
    }
    /// The person's motion: 0 not set, 1 stationary, 2 active.
    public static var userMotionContext: Self { Self("HKMetadataKeyUserMotionContext") }
    /// The version of the record with the `syncIdentifier`; the two keys require each other.
    public static var syncVersion: Self { Self("HKMetadataKeySyncVersion") }
    /// The test of the oxygen uptake: 1 maximal exercise, 2 submaximal exercise, 3 no exercise.
    public static var vo2MaxTestType: Self { Self("HKVO2MaxTestType") }
}

extension MetadataKey<Bool> {
    /// Whether the value was manually entered.
    public static var wasUserEntered: Self { Self("HKWasUserEntered") }
    /// Whether a workout was indoors.
    public static var indoorWorkout: Self { Self("HKIndoorWorkout") }
    /// Whether the time is estimated because the gateway's clock was not set; a key of Pulsegate.
    ///
    /// The order and the intervals of such times are right, but they start on the build date of the
    /// gateway.
    public static var clockUnset: Self { Self("PulsegateClockUnset") }
}

extension MetadataKey<String> {
    /// The identifier by which a record of one source is recognised when it is sent again; set it with
    /// ``Metadata/setSync(identifier:version:)``.
    public static var syncIdentifier: Self { Self("HKMetadataKeySyncIdentifier") }
    /// The identifier of the sample in another system.
    public static var externalUUID: Self { Self("HKExternalUUID") }
    /// The IANA name of the time zone in which the sample was recorded.
    public static var timeZone: Self { Self("HKTimeZone") }
    /// The serial number of the device.
    public static var deviceSerialNumber: Self { Self("HKDeviceSerialNumber") }
    /// The name of the device; prefer ``Device/name``.
    public static var deviceName: Self { Self("HKDeviceName") }
    /// The manufacturer of the device; prefer ``Device/manufacturer``.
    public static var deviceManufacturerName: Self { Self("HKDeviceManufacturerName") }
    /// The device identifier portion of the unique device identification (UDI).
    public static var udiDeviceIdentifier: Self { Self("HKUDIDeviceIdentifier") }
    /// The brand name of a workout.
    public static var workoutBrandName: Self { Self("HKWorkoutBrandName") }
}

extension MetadataKey<Quantity> {
    /// The threshold of a heart rate event.
    public static var heartRateEventThreshold: Self { Self("HKHeartRateEventThreshold") }
    /// The length of a lap.
    public static var lapLength: Self { Self("HKLapLength") }
    /// The average metabolic equivalent of a workout.
    public static var averageMETs: Self { Self("HKAverageMETs") }
    /// The elevation gain of a workout.
    public static var elevationAscended: Self { Self("HKElevationAscended") }
    /// The elevation loss of a workout.
    public static var elevationDescended: Self { Self("HKElevationDescended") }
    /// The average speed of a workout or of a part of it.
    public static var averageSpeed: Self { Self("HKAverageSpeed") }
    /// The highest speed of a workout or of a part of it.
    public static var maximumSpeed: Self { Self("HKMaximumSpeed") }
    /// The duration of the activity before a heart rate recovery.
    public static var heartRateRecoveryActivityDuration: Self {
        Self("HKMetadataKeyHeartRateRecoveryActivityDuration")
    }
    /// The maximum heart rate observed in a heart rate recovery test.
    public static var heartRateRecoveryMaximumRate: Self {
        Self("HKMetadataKeyHeartRateRecoveryMaxObservedRecoveryHeartRate")
    }
}

extension String: MetadataRepresentable {
    /// The string as metadata.
    public var metadataValue: MetadataValue { .string(self) }
    /// Makes the string; nil for another kind.
    public init?(metadataValue: MetadataValue) {
        guard case .string(let value) = metadataValue else { return nil }
        self = value
    }
}

extension Double: MetadataRepresentable {
    /// The number as metadata.
    public var metadataValue: MetadataValue { .number(self) }
    /// Makes the number; nil for another kind.
    public init?(metadataValue: MetadataValue) {
        guard case .number(let value) = metadataValue else { return nil }
        self = value
    }
}

extension Bool: MetadataRepresentable {
    /// The Boolean value as metadata.
    public var metadataValue: MetadataValue { .boolean(self) }
    /// Makes the Boolean value; nil for another kind.
    public init?(metadataValue: MetadataValue) {
        guard case .boolean(let value) = metadataValue else { return nil }
        self = value
    }
}

extension Quantity: MetadataRepresentable {
    /// The quantity as metadata.
    public var metadataValue: MetadataValue { .quantity(self) }
    /// Makes the quantity; nil for another kind.
    public init?(metadataValue: MetadataValue) {
        guard case .quantity(let value) = metadataValue else { return nil }
        self = value
    }
}

extension Instant: MetadataRepresentable {
    /// The instant as metadata.
    public var metadataValue: MetadataValue { .date(self) }
    /// Makes the instant; nil for another kind.
    public init?(metadataValue: MetadataValue) {
        guard case .date(let value) = metadataValue else { return nil }
        self = value
    }
}
