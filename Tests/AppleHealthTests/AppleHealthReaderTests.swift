import HealthModel
import XCTest
import XML

@testable import AppleHealth

/// The export of Apple Health as records and counts.
final class AppleHealthReaderTests: XCTestCase {
    private typealias Example = AppleHealthExample

    // MARK: Records

    func testQuantity_hasItsUnitOriginAndMetadata() throws {
        let entries = """
            <MetadataEntry key="HKMetadataKeyHeartRateMotionContext" value="1"/>
            <MetadataEntry key="HKWasUserEntered" value="0"/>
            <MetadataEntry key="HKTimeZone" value="Europe/Berlin"/>
            <MetadataEntry key="HKMetadataKeySyncVersion" value="2"/>
            <MetadataEntry key="HKMetadataKeySyncIdentifier" value="a1"/>
            <MetadataEntry key="Withings Link" value="7"/>
            <MetadataEntry key="HKLapLength" value="many"/>
            """
        let (records, counts) = try read(Example.file(Example.heartRate(more: entries)))
        let sample = try XCTUnwrap(records.first?.sample)
        XCTAssertEqual(sample.type, .heartRate)
        XCTAssertEqual(sample.quantity, try Quantity(72, .countPerMinute))
        XCTAssertEqual(sample.start, Instant(iso8601: "2024-01-31T11:34:56Z"))
        XCTAssertEqual(sample.end, sample.start)
        XCTAssertEqual(sample.person, "ada")
        XCTAssertEqual(sample.source, SourceRevision(name: "Ada’s Watch", version: "9.1"))
        XCTAssertEqual(
            sample.device,
            Device(
                name: "Apple Watch", manufacturer: "Apple Inc.", model: "Watch",
                hardwareVersion: "Watch6,2", softwareVersion: "9.1"))
        XCTAssertEqual(sample.metadata[.heartRateMotionContext], 1)
        XCTAssertEqual(sample.metadata[.wasUserEntered], false)
        XCTAssertEqual(sample.metadata[.timeZone], "Europe/Berlin")
        XCTAssertEqual(sample.metadata[.syncIdentifier], "a1")
        XCTAssertEqual(sample.metadata["Withings Link"], .string("7"))
        XCTAssertEqual(counts.invalid, ["MetadataEntry": 1])
        XCTAssertEqual(counts.records, ["heartRate": 1])
    }

    func testCount_withinASecond_takesASecond() throws {
        let time = "2024-01-31 12:00:00 +0000"
        let steps = Example.record(
            "HKQuantityTypeIdentifierStepCount", "3", unit: "count", start: time, end: time)
        let sample = try XCTUnwrap(read(Example.file(steps)).records.first?.sample)
        XCTAssertEqual(sample.end.nanoseconds(since: sample.start), 1_000_000_000)
    }

    func testCategory_isReadByTheNameOfItsValue() throws {
        for (text, number) in [("AsleepREM", 5), ("InBed", 0), ("Asleep", 1)] {
            let record = Example.record(
                "HKCategoryTypeIdentifierSleepAnalysis", "HKCategoryValueSleepAnalysis\(text)")
            guard case .category(let sample) = try read(Example.file(record)).records.first else {
                return XCTFail(text)
            }
            XCTAssertEqual(sample.value, number, text)
        }
        let unknown = Example.record("HKCategoryTypeIdentifierSleepAnalysis", "Dreaming")
        let counts = try read(Example.file(unknown)).counts
        XCTAssertEqual(counts.invalid, ["HKCategoryTypeIdentifierSleepAnalysis": 1])
    }

    func testCorrelation_hasTheSamplesOfTheTopLevel() throws {
        let elements = [Example.systolic, Example.bloodPressure, Example.diastolic]
        let (records, counts) = try read(Example.file(elements.joined()))
        guard case .correlation(let pressure) = records[1] else { return XCTFail("\(records)") }
        XCTAssertEqual(
            Set(pressure.samples.map(\.id)), Set([records[0].sample?.id, records[2].sample?.id]))
        XCTAssertEqual(counts.recordCount, 3)
    }

    func testWorkout_hasItsEventsAndTotals() throws {
        let (records, counts) = try read(Example.file(Example.workout))
        guard case .workout(let workout) = records.first else { return XCTFail("\(records)") }
        XCTAssertEqual(workout.activity, WorkoutActivity(.running))
        XCTAssertEqual(workout.location, .outdoor)
        XCTAssertEqual(workout.events.map(\.kind), [.segment, .pause, .resume])
        XCTAssertEqual(workout.events[0].end.nanoseconds(since: workout.start), 315_000_000_000)
        XCTAssertEqual(workout.totals.map(\.type), [.activeEnergyBurned, .heartRate])
        XCTAssertEqual(workout.totals[1].maximum?.value, 171)
        XCTAssertEqual(
            workout.metadata[.averageMETs], try Quantity(9.8, Unit(parsing: "kcal/hr·kg")))
        XCTAssertEqual(counts.unknown, ["WorkoutRoute": 1, "Me": 1])
        XCTAssertEqual(counts.invalid, ["WorkoutEvent": 1])
    }

    func testOlderWorkout_hasTotalsAsAttributes() throws {
        let workout = """
            <Workout workoutActivityType="HKWorkoutActivityTypeCycling" duration="60" \
            durationUnit="min" totalDistance="20" totalDistanceUnit="km" totalEnergyBurned="400" \
            totalEnergyBurnedUnit="kcal" sourceName="Watch" startDate="2019-01-30 18:00:00 +0100" \
            endDate="2019-01-30 19:00:00 +0100"/>
            """
        guard case .workout(let read) = try read(Example.file(workout)).records.first else {
            return XCTFail(workout)
        }
        XCTAssertEqual(read.totals.map(\.type), [.activeEnergyBurned, .distanceCycling])
        XCTAssertEqual(read.totals[1].sum?.value, 20)
    }

    // MARK: What is left out

    func testElements_thatAreNotImported_areCounted() throws {
        let elements = """
            \(Example.record("HKQuantityTypeIdentifierDietaryWater", "250", unit: "mL"))
            \(Example.record("HKQuantityTypeIdentifierDietaryWater", "300", unit: "mL"))
            <ActivitySummary dateComponents="2024-01-31"/>
            \(Example.heartRate("9000"))
            \(Example.heartRate(start: "2024-01-31"))
            \(Example.heartRate(start: "2199-01-31 12:34:56 +0100"))
            \(Example.heartRate("NaN"))
            \(Example.heartRate("0x40"))
            """
        let (records, counts) = try read(Example.file(elements))
        XCTAssertEqual(records, [])
        XCTAssertEqual(
            counts.unknown,
            ["HKQuantityTypeIdentifierDietaryWater": 2, "ActivitySummary": 1, "Me": 1])
        XCTAssertEqual(counts.invalid, ["HKQuantityTypeIdentifierHeartRate": 5])
        XCTAssertEqual(
            counts.omissions,
            [
                "left out, as not supported: 2 HKQuantityTypeIdentifierDietaryWater, "
                    + "1 ActivitySummary, 1 Me",
                "left out, as not valid: 5 HKQuantityTypeIdentifierHeartRate",
            ])
    }

    // MARK: Ids

    func testIds_areTheSameInALaterExport() throws {
        let first = try read(Example.file(Example.heartRate())).records
        let address = Example.device.replacing("0x281e4f2a0", with: "0x3f00d0000")
        let later = try read(
            Example.file(Example.workout + Example.heartRate(device: address), doctype: "")
        ).records
        XCTAssertEqual(first[0].sample?.id, later[1].sample?.id)
        XCTAssertEqual(first, [later[1]])
    }

    func testIds_areTheSameInAnotherUnit() throws {
        let type = "HKQuantityTypeIdentifierDistanceWalkingRunning"
        let ids = try [("1.5", "km"), ("0.932057", "mi")].map { value, unit in
            try read(Example.file(Example.record(type, value, unit: unit))).records[0].sample?.id
        }
        XCTAssertEqual(ids[0], ids[1])
    }

    func testIds_differByValueTimeAndPerson() throws {
        let files = [
            Example.heartRate(), Example.heartRate("73"),
            Example.heartRate(start: "2024-01-31 12:34:57 +0100"),
        ]
        var ids = Set(try files.map { try read(Example.file($0)).records[0].sample?.id })
        ids.insert(try read(Example.file(files[0]), person: "ben").records[0].sample?.id)
        XCTAssertEqual(ids.count, 4)
    }

    // MARK: Files

    func testControlCharacters_countAsSpaces() throws {
        let entry = "<MetadataEntry key=\"Note\" value=\"a\u{0B}b\"/>"
        let sample = try read(Example.file(Example.heartRate(more: entry))).records[0].sample
        XCTAssertEqual(sample?.metadata["Note"], .string("a b"))
    }

    func testEntities_areNotExpanded() throws {
        let doctype = "<!DOCTYPE HealthData [<!ENTITY e \"72\"><!ENTITY x SYSTEM \"/etc/passwd\">]>"
        for name in ["e", "x"] {
            let file = Example.file("<a>&\(name);</a>", doctype: doctype)
            XCTAssertThrowsError(try read(file)) {
                XCTAssertEqual(
                    $0 as? AppleHealthError, .xml(.corrupt("line 6: undefined entity")))
            }
        }
    }

    func testForeignFiles_haveAdvice() throws {
        let files: [([UInt8], String)] = [
            ([], "the file is empty; copy it from its source again"),
            (
                [0x50, 0x4B, 3, 4, 0],
                "the file is a ZIP archive; unpack it with `unzip FILE` and import "
                    + "`apple_health_export/export.xml`"
            ),
            (
                Array("<ClinicalDocument/>".utf8),
                "the file is the clinical document of an export; import the export.xml beside it"
            ),
        ]
        for (bytes, message) in files {
            XCTAssertThrowsError(try read(bytes)) { XCTAssertEqual("\($0)", message) }
        }
    }

    private func read(
        _ bytes: [UInt8], person: String = "ada"
    ) throws -> (records: [Record], counts: AppleHealthCounts) {
        try AppleHealthReader.all(bytes, person: person)
    }
}

extension Record {
    var sample: QuantitySample? {
        if case .sample(let sample) = self { sample } else { nil }
    }
}

extension AppleHealthReader {
    static let now = Instant(nanosecondsSince1970: 1_790_000_000_000_000_000)

    /// Reads a whole file in pieces of a size; the first one has at least 4 KiB.
    static func all(
        _ bytes: [UInt8], person: String = "ada", pieceSize: Int = 1 << 16
    ) throws -> (records: [Record], counts: AppleHealthCounts) {
        var position = min(max(pieceSize, 4_096), bytes.count)
        var reader = try AppleHealthReader(
            Array(bytes[..<position]), isLast: position == bytes.count, person: person, now: now)
        var records: [Record] = []
        while true {
            let batch = try reader.records(limit: 3)
            records += batch
            guard batch.isEmpty else { continue }
            if position == bytes.count { return (records, reader.counts) }
            let end = min(position + pieceSize, bytes.count)
            reader.append(Array(bytes[position..<end]), isLast: end == bytes.count)
            position = end
        }
    }
}
