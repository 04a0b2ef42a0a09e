import XCTest

@testable import HealthModel

/// Tests for the raw strings of HealthKit's keys and the rules for their values.
final class MetadataKeyTests: XCTestCase {
    /// The raw string of each key, as HealthKit's constants have them.
    private let numbers: [(MetadataKey<Double>, String)] = [
        (.heartRateSensorLocation, "HKHeartRateSensorLocation"),
        (.heartRateMotionContext, "HKMetadataKeyHeartRateMotionContext"),
        (.userMotionContext, "HKMetadataKeyUserMotionContext"),
        (.syncVersion, "HKMetadataKeySyncVersion"), (.vo2MaxTestType, "HKVO2MaxTestType"),
        (.heartRateRecoveryTestType, "HKMetadataKeyHeartRateRecoveryTestType"),
        (.heartRateRecoveryActivityType, "HKMetadataKeyHeartRateRecoveryActivityType"),
    ]
    private let texts: [(MetadataKey<String>, String)] = [
        (.syncIdentifier, "HKMetadataKeySyncIdentifier"), (.externalUUID, "HKExternalUUID"),
        (.timeZone, "HKTimeZone"), (.deviceSerialNumber, "HKDeviceSerialNumber"),
        (.deviceName, "HKDeviceName"), (.deviceManufacturerName, "HKDeviceManufacturerName"),
        (.udiDeviceIdentifier, "HKUDIDeviceIdentifier"),
        (.workoutBrandName, "HKWorkoutBrandName"),
    ]
    private let quantities: [(MetadataKey<Quantity>, String)] = [
        (.heartRateEventThreshold, "HKHeartRateEventThreshold"), (.lapLength, "HKLapLength"),
        (.averageMETs, "HKAverageMETs"), (.elevationAscended, "HKElevationAscended"),
        (.elevationDescended, "HKElevationDescended"), (.averageSpeed, "HKAverageSpeed"),
        (.maximumSpeed, "HKMaximumSpeed"),
        (.heartRateRecoveryActivityDuration, "HKMetadataKeyHeartRateRecoveryActivityDuration"),
        (
            .heartRateRecoveryMaximumRate,
            "HKMetadataKeyHeartRateRecoveryMaxObservedRecoveryHeartRate"
        ),
    ]

    func testMetadataRawStrings_areNotTheConstantsNames() {
        for (key, raw) in numbers { XCTAssertEqual(key.name, raw) }
        for (key, raw) in texts { XCTAssertEqual(key.name, raw) }
        for (key, raw) in quantities { XCTAssertEqual(key.name, raw) }
        XCTAssertEqual(MetadataKey.wasUserEntered.name, "HKWasUserEntered")
        XCTAssertEqual(MetadataKey.indoorWorkout.name, "HKIndoorWorkout")
        XCTAssertNotEqual(
            MetadataKey.heartRateSensorLocation.name, "HKMetadataKeyHeartRateSensorLocation")
        XCTAssertNotEqual(MetadataKey.timeZone.name, "HKMetadataKeyTimeZone")
    }

    func testSet_whenAKnownKeyHasAnotherKindOfValue_namesTheKeyAndNotTheValue() throws {
        let count = try Quantity(987_654, .count)
        let sync = [MetadataKey.syncIdentifier.name, MetadataKey.syncVersion.name]
        let rules: [(keys: [String], wrong: [MetadataValue])] = [
            (numbers.map(\.1), [.string("987654"), .boolean(true), .quantity(count)]),
            (texts.map(\.1), [.number(987_654), .boolean(true), .quantity(count)]),
            (quantities.map(\.1), [.number(987_654), .string("987654"), .quantity(count)]),
            (
                ["HKWasUserEntered", "HKIndoorWorkout", "PulsegateClockUnset"],
                [.number(987_654), .string("987654")]
            ),
        ]
        for (keys, values) in rules {
            for key in keys {
                for value in values {
                    var metadata = Metadata()
                    XCTAssertThrowsError(try metadata.set(value, for: key), key) { error in
                        guard case .invalid(key, _)? = error as? MetadataError else {
                            return XCTFail("\(error) for \(key)")
                        }
                        XCTAssertTrue("\(error)".contains(key))
                        XCTAssertFalse("\(error)".contains("987654"))
                    }
                    XCTAssertTrue(metadata.isEmpty)
                }
            }
        }
        XCTAssertEqual(sync.filter { MetadataRule.of($0) != nil }, sync)
    }

    func testSet_ofNumbersWithARange_acceptsOnlyThoseWithin() throws {
        let ranges: [(MetadataKey<Double>, good: [Double], bad: [Double])] = [
            (.heartRateSensorLocation, [0, 1, 2, 3, 4, 5, 6], [-1, 7, 0.5, 255]),
            (.heartRateMotionContext, [0, 1, 2], [-1, 3, 1.5]),
            (.userMotionContext, [0, 1, 2], [-1, 3, 1e300]),
            (.vo2MaxTestType, [1, 2, 3, 4], [0, 1.5]),
            (.heartRateRecoveryActivityType, [37, 84, 3_000], [0, 3_001]),
        ]
        for (key, good, bad) in ranges {
            for number in good {
                XCTAssertNoThrow(try Metadata([key.name: .number(number)]), key.name)
            }
            for number in bad {
                XCTAssertThrowsError(try Metadata([key.name: .number(number)]), key.name)
            }
        }
    }

    func testSet_ofATimeZone_acceptsTheSyntaxOfIANANames() throws {
        let good = [
            "Europe/Berlin", "UTC", "Etc/GMT+5", "EST5EDT", "America/Argentina/Buenos_Aires",
            "America/Port-au-Prince", "America/North_Dakota/New_Salem", "GMT0",
        ]
        let bad = [
            "", "+01:00", "/Berlin", "Europe/", "Europe//Berlin", "Europe/../etc", "Europe/Berlin ",
            "A/B/C/D", "Europe/Köln", "-1", "Europe/Berlin\n", "Central European Time",
            "Abcdefghijklmno", "5Europe",
        ]
        for name in good { XCTAssertNoThrow(try Metadata(["HKTimeZone": .string(name)]), name) }
        for name in bad {
            XCTAssertThrowsError(try Metadata(["HKTimeZone": .string(name)]), name)
        }
    }

    func testSync_identifierAndVersion_requireEachOther() throws {
        let (identifier, version) = ("HKMetadataKeySyncIdentifier", "HKMetadataKeySyncVersion")
        var metadata = try Metadata(["other": .number(1)])
        XCTAssertThrowsError(try metadata.set("a", for: .syncIdentifier)) {
            XCTAssertEqual(
                $0 as? MetadataError, .incomplete(key: identifier, missing: version))
        }
        XCTAssertThrowsError(try metadata.set(2, for: .syncVersion)) {
            XCTAssertEqual(
                $0 as? MetadataError, .incomplete(key: version, missing: identifier))
        }
        XCTAssertThrowsError(try Metadata([version: .number(2)]))
        XCTAssertThrowsError(try Metadata([identifier: .string("a")]))
        XCTAssertEqual(metadata, try Metadata(["other": .number(1)]))

        try metadata.setSync(identifier: "a", version: 2)
        XCTAssertEqual(metadata[.syncIdentifier], "a")
        XCTAssertEqual(metadata[.syncVersion], 2)
        try metadata.set(3, for: .syncVersion)
        XCTAssertEqual(metadata[.syncVersion], 3)

        var other = Metadata()
        try other.merge(metadata)
        XCTAssertEqual(other, metadata)
        XCTAssertEqual(
            try Metadata([identifier: .string("a"), version: .number(3), "other": .number(1)]),
            metadata)
        XCTAssertThrowsError(try metadata.setSync(identifier: "b", version: .infinity))
        XCTAssertEqual(metadata, other)
    }

    func testSet_ofUnknownKeys_acceptsAnything() throws {
        for key in ["HKSomethingNewer", "hkTimeZone", "HKMetadataKeyTimeZone", "x"] {
            for value: MetadataValue in [.number(-1), .string(""), .boolean(true)] {
                XCTAssertNoThrow(try Metadata([key: value]), key)
            }
        }
    }

    func testInit_ofHostileJSON_isRefusedWithTheKey() {
        let vectors = [
            (#"{"HKHeartRateSensorLocation":7}"#, "metadata.HKHeartRateSensorLocation"),
            (#"{"HKHeartRateSensorLocation":"1"}"#, "metadata.HKHeartRateSensorLocation"),
            (#"{"HKWasUserEntered":1}"#, "metadata.HKWasUserEntered"),
            (#"{"HKTimeZone":"a b"}"#, "metadata.HKTimeZone"),
            (
                #"{"HKHeartRateEventThreshold":{"value":1,"unit":"m"}}"#,
                "metadata.HKHeartRateEventThreshold"
            ),
            (#"{"HKMetadataKeySyncVersion":1}"#, "metadata.HKMetadataKeySyncVersion"),
            (#"{"HKMetadataKeySyncIdentifier":"a"}"#, "metadata.HKMetadataKeySyncIdentifier"),
        ]
        for (json, key) in vectors {
            XCTAssertThrowsError(try Metadata(json: json), json) { error in
                guard case .invalidValue(key, _, _)? = error as? RecordDecodingError else {
                    return XCTFail("\(error) for \(json)")
                }
            }
        }
        XCTAssertNoThrow(
            try Metadata(
                json: #"{"HKMetadataKeySyncVersion":1,"HKMetadataKeySyncIdentifier":"a"}"#))
    }
}
