/// The name of a metadata entry together with the kind of its value.
public struct MetadataKey<Value: MetadataRepresentable>: Hashable, Sendable {
    /// The name in the metadata.
    ///
    /// In HealthKit it mostly differs from the constant's name: the value of
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
    /// Takes the value from metadata; nil when that is of another kind.
    init?(metadataValue: MetadataValue)
}

extension MetadataKey<Double> {
    /// Where a heart rate sensor sits: 0 other, 1 chest, 2 wrist, 3 finger, 4 hand, 5 ear lobe,
    /// 6 foot; the numbers of Bluetooth's Body Sensor Location (0x2A38).
    public static var heartRateSensorLocation: Self { Self("HKHeartRateSensorLocation") }
    /// What the person did: 0 not known, 1 sedentary, 2 active.
    public static var heartRateMotionContext: Self { Self("HKMetadataKeyHeartRateMotionContext") }
    /// How the heart recovered from what: 1 a maximal effort, 2 a smaller one, 3 no exercise.
    public static var heartRateRecoveryTestType: Self {
        Self("HKMetadataKeyHeartRateRecoveryTestType")
    }
    /// HealthKit's number of the activity before the recovery.
    public static var heartRateRecoveryActivityType: Self {
        Self("HKMetadataKeyHeartRateRecoveryActivityType")
    }
    /// How the person moved: 0 not known, 1 stationary, 2 active.
    public static var userMotionContext: Self { Self("HKMetadataKeyUserMotionContext") }
    /// The version of what `syncIdentifier` names; one is never there without the other.
    public static var syncVersion: Self { Self("HKMetadataKeySyncVersion") }
    /// How the oxygen uptake was found: 1 by a maximal test, 2 by a submaximal one, 3 without exercise.
    public static var vo2MaxTestType: Self { Self("HKVO2MaxTestType") }
}

extension MetadataKey<Bool> {
    /// Whether a person entered the value by hand.
    public static var wasUserEntered: Self { Self("HKWasUserEntered") }
    /// Whether a workout was indoors.
    public static var indoorWorkout: Self { Self("HKIndoorWorkout") }
    /// Whether the time is made up, because the gateway's clock was not set; our own key.
    ///
    /// Such times are in order and as far apart as they were, but they begin with the day on which the
    /// gateway's program was made.
    public static var clockUnset: Self { Self("PulsegateClockUnset") }
}

extension MetadataKey<String> {
    /// What a sample is to be recognised by when it is sent again; set it with
    /// ``Metadata/setSync(identifier:version:)``.
    public static var syncIdentifier: Self { Self("HKMetadataKeySyncIdentifier") }
    /// The identifier of the sample in another system.
    public static var externalUUID: Self { Self("HKExternalUUID") }
    /// The IANA name of the time zone the sample was made in.
    public static var timeZone: Self { Self("HKTimeZone") }
    /// The serial number of the device.
    public static var deviceSerialNumber: Self { Self("HKDeviceSerialNumber") }
    /// The name of the device; ``Device/name`` is the better place.
    public static var deviceName: Self { Self("HKDeviceName") }
    /// The maker of the device; ``Device/manufacturer`` is the better place.
    public static var deviceManufacturerName: Self { Self("HKDeviceManufacturerName") }
    /// The part of the device's unique identifier that names its model.
    public static var udiDeviceIdentifier: Self { Self("HKUDIDeviceIdentifier") }
    /// The brand of a workout.
    public static var workoutBrandName: Self { Self("HKWorkoutBrandName") }
}

extension MetadataKey<Quantity> {
    /// The heart rate at which an event was reported.
    public static var heartRateEventThreshold: Self { Self("HKHeartRateEventThreshold") }
    /// The length of a lap.
    public static var lapLength: Self { Self("HKLapLength") }
    /// The average metabolic equivalent of a workout.
    public static var averageMETs: Self { Self("HKAverageMETs") }
    /// How far a workout went up.
    public static var elevationAscended: Self { Self("HKElevationAscended") }
    /// How far a workout went down.
    public static var elevationDescended: Self { Self("HKElevationDescended") }
    /// The average speed of a workout or of a part of it.
    public static var averageSpeed: Self { Self("HKAverageSpeed") }
    /// The highest speed of a workout or of a part of it.
    public static var maximumSpeed: Self { Self("HKMaximumSpeed") }
    /// How long the activity before a recovery was.
    public static var heartRateRecoveryActivityDuration: Self {
        Self("HKMetadataKeyHeartRateRecoveryActivityDuration")
    }
    /// The highest heart rate that was seen in the test of a recovery.
    public static var heartRateRecoveryMaximumRate: Self {
        Self("HKMetadataKeyHeartRateRecoveryMaxObservedRecoveryHeartRate")
    }
}

extension String: MetadataRepresentable {
    /// The text as metadata.
    public var metadataValue: MetadataValue { .string(self) }
    /// Takes a text.
    public init?(metadataValue: MetadataValue) {
        guard case .string(let value) = metadataValue else { return nil }
        self = value
    }
}

extension Double: MetadataRepresentable {
    /// The number as metadata.
    public var metadataValue: MetadataValue { .number(self) }
    /// Takes a number.
    public init?(metadataValue: MetadataValue) {
        guard case .number(let value) = metadataValue else { return nil }
        self = value
    }
}

extension Bool: MetadataRepresentable {
    /// The truth value as metadata.
    public var metadataValue: MetadataValue { .boolean(self) }
    /// Takes a truth value.
    public init?(metadataValue: MetadataValue) {
        guard case .boolean(let value) = metadataValue else { return nil }
        self = value
    }
}

extension Quantity: MetadataRepresentable {
    /// The quantity as metadata.
    public var metadataValue: MetadataValue { .quantity(self) }
    /// Takes a quantity.
    public init?(metadataValue: MetadataValue) {
        guard case .quantity(let value) = metadataValue else { return nil }
        self = value
    }
}

extension Instant: MetadataRepresentable {
    /// The instant as metadata.
    public var metadataValue: MetadataValue { .date(self) }
    /// Takes an instant.
    public init?(metadataValue: MetadataValue) {
        guard case .date(let value) = metadataValue else { return nil }
        self = value
    }
}
