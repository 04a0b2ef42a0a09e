import HealthModel
import XCTest

final class DeviceTests: XCTestCase {
    func testMerging_theOthersFieldsWin() {
        let device = Device(name: "strap", model: "H9", serial: "1")
        let merged = device.merging(Device(manufacturer: "Polar", model: "H10"))
        XCTAssertEqual(
            merged, Device(name: "strap", manufacturer: "Polar", model: "H10", serial: "1"))
        XCTAssertEqual(device.merging(Device()), device)
    }

    func testEquality_isThatOfTheContent() {
        let device = Device(name: "a", localIdentifier: "b")
        XCTAssertEqual(device, Device(name: "a", localIdentifier: "b"))
        XCTAssertEqual(device.hashValue, Device(name: "a", localIdentifier: "b").hashValue)
        XCTAssertNotEqual(device, Device(name: "a", serial: "b"))
        XCTAssertNotEqual(Device(name: ""), Device())
    }

    func testFields_areThoseGiven() {
        let device = Device(
            name: "1", manufacturer: "2", model: "3", hardwareVersion: "4", firmwareVersion: "5",
            softwareVersion: "6", localIdentifier: "7", serial: "8")
        XCTAssertEqual(
            [
                device.name, device.manufacturer, device.model, device.hardwareVersion,
                device.firmwareVersion, device.softwareVersion, device.localIdentifier,
                device.serial,
            ], ["1", "2", "3", "4", "5", "6", "7", "8"])
    }

    func testInit_whenTextIsTooLong_isCutAtACharacter() {
        let name = "x" + String(repeating: "é", count: 400)
        XCTAssertEqual(Device(name: name).name, "x" + String(repeating: "é", count: 255))
        XCTAssertEqual(Device(name: String(name.prefix(256))).name, String(name.prefix(256)))
        XCTAssertEqual(SourceRevision(name: name).name.utf8.count, 511)
    }

    func testSource_equality() {
        XCTAssertEqual(
            SourceRevision(name: "straps", version: "1"),
            SourceRevision(name: "straps", version: "1"))
        XCTAssertNotEqual(
            SourceRevision(name: "straps", version: "1"), SourceRevision(name: "straps"))
    }
}

final class PersonTests: XCTestCase {
    func testInit_whenNameIsValid_storesAllFields() throws {
        let rate = try Quantity(188, .countPerMinute)
        let person = try Person(
            name: "ada-L._1", birthDate: CalendarDate(year: 1986, month: 2, day: 14), sex: .female,
            maximumHeartRate: rate, preferredUnits: [.bodyMass: .pound])
        XCTAssertEqual(person.name, "ada-L._1")
        XCTAssertEqual(person.birthDate?.description, "1986-02-14")
        XCTAssertEqual(person.preferredUnits, [.bodyMass: .pound])
        XCTAssertNoThrow(try Person(name: "Åsa"))
        XCTAssertNoThrow(try Person(name: String(repeating: "a", count: 64)))
    }

    func testInit_whenNameIsNotValid_throws() {
        let names = [
            "", " ", "a b", "a/b", "a\n", "a\"", "a\u{0}", "💓", String(repeating: "a", count: 65),
            String(repeating: "é", count: 65), "e" + String(repeating: "\u{301}", count: 200),
        ]
        for name in names {
            XCTAssertThrowsError(try Person(name: name), name) {
                XCTAssertEqual($0 as? PersonError, .name)
            }
        }
    }

    func testInit_whenHeartRateIsNotOne_throws() throws {
        let meters = try Quantity(188, .meter)
        XCTAssertThrowsError(try Person(name: "ada", maximumHeartRate: meters)) {
            XCTAssertEqual($0 as? PersonError, .unitDoesNotFit(type: "heartRate", unit: "m"))
        }
        let fast = try Quantity(188, .countPerSecond)
        XCTAssertThrowsError(try Person(name: "ada", maximumHeartRate: fast)) {
            XCTAssertEqual($0 as? PersonError, .maximumHeartRate)
        }
    }

    func testInit_whenUnitDoesNotFit_throws() {
        XCTAssertThrowsError(try Person(name: "ada", preferredUnits: [.bodyMass: .meter])) {
            XCTAssertEqual($0 as? PersonError, .unitDoesNotFit(type: "bodyMass", unit: "m"))
        }
    }
}

final class MetadataTests: XCTestCase {
    func testSet_sortsByKey() throws {
        var metadata = Metadata()
        for key in ["b", "é", "a", "B", "aa"] { try metadata.set(.boolean(true), for: key) }
        XCTAssertEqual(metadata.map(\.key), ["B", "a", "aa", "b", "é"])
        try metadata.set(.number(2), for: "aa")
        XCTAssertEqual(metadata.map(\.key), ["B", "a", "aa", "b", "é"])
        XCTAssertEqual(metadata["aa"], .number(2))
        XCTAssertNil(metadata["c"])
    }

    func testEquality_doesNotDependOnTheOrderOfSetting() throws {
        var first = Metadata()
        try first.set(.string("1"), for: "x")
        try first.set(.string("2"), for: "y")
        XCTAssertEqual(first, try Metadata(["y": .string("2"), "x": .string("1")]))
    }

    func testTypedKeys_readWhatTheySet() throws {
        let threshold = try Quantity(120, .countPerMinute)
        let date = Instant(nanosecondsSince1970: 1)
        var metadata = Metadata()
        try metadata.set(1, for: .heartRateSensorLocation)
        try metadata.set(true, for: .wasUserEntered)
        try metadata.set("0815", for: .deviceSerialNumber)
        try metadata.set(threshold, for: .heartRateEventThreshold)
        try metadata.set(date, for: MetadataKey<Instant>("PulsegateDate"))
        XCTAssertEqual(metadata[.heartRateSensorLocation], 1)
        XCTAssertEqual(metadata[.wasUserEntered], true)
        XCTAssertEqual(metadata[.deviceSerialNumber], "0815")
        XCTAssertEqual(metadata[.heartRateEventThreshold], threshold)
        XCTAssertEqual(metadata[MetadataKey<Instant>("PulsegateDate")], date)
        XCTAssertEqual(metadata["HKHeartRateSensorLocation"], .number(1))
        XCTAssertNil(metadata[MetadataKey<String>("HKWasUserEntered")])
    }

    func testSet_whenNotValid_throwsAndChangesNothing() throws {
        var metadata = try Metadata(["a": .number(1)])
        let vectors: [(MetadataValue, String, MetadataError)] = [
            (.number(.nan), "a", .notFinite(key: "a")),
            (.number(.infinity), "b", .notFinite(key: "b")), (.number(1), "", .key),
            (.number(1), String(repeating: "k", count: 129), .key),
            (.string(String(repeating: "v", count: 4_096)), "b", .tooLarge),
        ]
        for (value, key, expected) in vectors {
            XCTAssertThrowsError(try metadata.set(value, for: key)) {
                XCTAssertEqual($0 as? MetadataError, expected)
            }
        }
        XCTAssertEqual(metadata, try Metadata(["a": .number(1)]))
    }

    func testSet_whenFull_throws() throws {
        var metadata = Metadata()
        for index in 0..<64 { try metadata.set(.number(Double(index)), for: "key\(index)") }
        XCTAssertThrowsError(try metadata.set(.number(1), for: "one more")) {
            XCTAssertEqual($0 as? MetadataError, .tooLarge)
        }
        XCTAssertNoThrow(try metadata.set(.number(1), for: "key0"))
    }
}

final class SampleTests: XCTestCase {
    private let id = RecordID(high: 1, low: 2)
    private let early = Instant(nanosecondsSince1970: 1)
    private let late = Instant(nanosecondsSince1970: 2)

    func testInit_whenUnitDoesNotFit_throws() throws {
        let meters = try Quantity(72, .meter)
        XCTAssertThrowsError(
            try QuantitySample(
                id: id, type: .heartRate, start: early, end: early, quantity: meters)
        ) {
            XCTAssertEqual($0 as? SampleError, .unitDoesNotFit(type: "heartRate", unit: "m"))
        }
    }

    func testInit_whenTimesAreInTheWrongOrder_throws() throws {
        let rate = try Quantity(72, .countPerSecond)
        XCTAssertNoThrow(
            try QuantitySample(id: id, type: .heartRate, start: early, end: early, quantity: rate))
        XCTAssertThrowsError(
            try QuantitySample(id: id, type: .heartRate, start: late, end: early, quantity: rate)
        ) {
            XCTAssertEqual($0 as? SampleError, .endBeforeStart(type: "heartRate"))
        }
    }

    func testInit_whenCumulative_needsAnInterval() throws {
        let steps = try Quantity(12, .count)
        XCTAssertNoThrow(
            try QuantitySample(id: id, type: .stepCount, start: early, end: late, quantity: steps))
        XCTAssertThrowsError(
            try QuantitySample(id: id, type: .stepCount, start: early, end: early, quantity: steps)
        ) {
            XCTAssertEqual($0 as? SampleError, .emptyInterval(type: "stepCount"))
        }
    }

    func testInit_whenPersonIsNotValid_throws() throws {
        let rate = try Quantity(72, .countPerMinute)
        XCTAssertThrowsError(
            try QuantitySample(
                id: id, type: .heartRate, start: early, end: early, quantity: rate, person: "a b")
        ) {
            XCTAssertEqual($0 as? SampleError, .person)
        }
    }

    func testRecord_hasIdAndTypeOfItsValue() throws {
        let rate = try Quantity(72, .countPerMinute)
        let sample = try QuantitySample(
            id: id, type: .heartRate, start: early, end: early, quantity: rate)
        let event = DeviceEvent(id: id, at: early, device: Device(), state: DeviceState())
        XCTAssertEqual(Record.sample(sample).id, id)
        XCTAssertEqual(Record.sample(sample).typeName, "heartRate")
        XCTAssertEqual(Record.event(event).id, id)
        XCTAssertNil(Record.event(event).typeName)
    }

    func testDeviceState_whenBatteryIsOutOfRange_isUnknown() {
        for battery in [-0.01, 1.01, 2.55, .nan, .infinity] {
            XCTAssertNil(DeviceState(battery: battery).battery)
        }
        XCTAssertEqual(DeviceState(battery: 0).battery, 0)
        XCTAssertEqual(DeviceState(battery: 1).battery, 1)
    }

    func testDeviceEvent_whenTextsAreNotValid_dropsThem() {
        let event = DeviceEvent(
            id: id, at: early, device: Device(), person: "a b", state: DeviceState(),
            reason: String(repeating: "r", count: 2_000))
        XCTAssertNil(event.person)
        XCTAssertEqual(event.reason?.utf8.count, 1_024)
    }
}
