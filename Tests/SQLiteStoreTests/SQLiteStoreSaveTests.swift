import HealthModel
import SQLite
import SQLiteStore
import XCTest

final class SQLiteStoreSaveTests: StoreTestCase {
    private let strap = Device(
        name: "Strap \"A\" ♥", manufacturer: "Polar Electro Oy", model: "H10",
        hardwareVersion: "00760690.03", firmwareVersion: "5.0.0", softwareVersion: "3.1.1",
        localIdentifier: "D0:11:22:33:44:55", serial: "8A2F")

    private func fullMetadata() throws -> Metadata {
        try Metadata([
            "text": .string("a \"quoted\"\nline ☂"), "number": .number(-0.1),
            "yes": .boolean(true), "no": .boolean(false),
            "quantity": .quantity(Quantity(120, Unit(parsing: "count/min"))),
            "date": .date(Instant(nanosecondsSince1970: 1_700_000_000_123_456_789)),
        ])
    }

    private func roundTrip(_ sample: QuantitySample) async throws -> QuantitySample? {
        let store = try SQLiteStore(path: path)
        let outcome = try await store.save([.sample(sample)])
        XCTAssertEqual(outcome, SaveOutcome(stored: 1))
        return try await SQLiteStore(readingFrom: path)
            .samples(matching: SampleQuery(type: sample.type)).first
    }

    func testSave_ofASampleWithEverything_readsTheSame() async throws {
        let sample = try QuantitySample(
            id: RecordID(high: 0x0198_f3c2_1122_3344, low: .max), type: .rrInterval,
            start: Instant(nanosecondsSince1970: 1_700_000_000_000_000_001),
            end: Instant(nanosecondsSince1970: 1_700_000_000_817_382_813),
            quantity: Quantity(817.3828125, Unit(parsing: "ms")), person: "ada", device: strap,
            source: SourceRevision(name: "straps", version: "1.0.0"), metadata: fullMetadata())
        let read = try await roundTrip(sample)
        XCTAssertEqual(read, sample)
        XCTAssertEqual(read?.quantity.unit.string, "ms")
    }

    func testSave_ofASampleWithTheLeast_readsTheSame() async throws {
        let sample = try heartRate(0)
        let read = try await roundTrip(sample)
        XCTAssertEqual(read, sample)
        XCTAssertNil(read?.device)
        XCTAssertNil(read?.source)
        XCTAssertNil(read?.person)
        XCTAssertEqual(
            try integer("SELECT count(*) FROM sample WHERE metadata IS NULL"), 1)
    }

    func testSave_ofTheEndsOfTheRanges_readsTheSame() async throws {
        let store = try SQLiteStore(path: path)
        let ends = [(Int64.min, Int64.min), (.min / 2, .max / 2), (-1, 0), (.max - 1, .max)]
        let values = [-1.5, Double.leastNonzeroMagnitude, .greatestFiniteMagnitude, 0.1]
        let samples = try zip(ends, values).enumerated().map { index, pair in
            try QuantitySample(
                id: RecordID(high: UInt64(index), low: 0), type: .bodyMass,
                start: Instant(nanosecondsSince1970: pair.0.0),
                end: Instant(nanosecondsSince1970: pair.0.1),
                quantity: Quantity(pair.1, Unit(parsing: "lb")))
        }
        _ = try await store.save(samples.map { .sample($0) })
        let read = try await store.samples(matching: SampleQuery(type: .bodyMass))
        XCTAssertEqual(read, samples)
        let late = try await store.samples(
            matching: SampleQuery(type: .bodyMass, from: instant(5), to: instant(6)))
        XCTAssertEqual(late, [samples[1]])
    }

    func testSave_ofAValueThatIsNotFiniteInTheCanonicalUnit_keepsTheSample() async throws {
        let far = try QuantitySample(
            id: RecordID(high: 1, low: 1), type: .distanceWalkingRunning, start: instant(0),
            end: instant(1), quantity: Quantity(1e308, Unit(parsing: "km")))
        let read = try await roundTrip(far)
        XCTAssertEqual(read, far)
    }

    func testSave_ofEvents_readsTheSame() async throws {
        let store = try SQLiteStore(path: path)
        var events = DeviceState.Connection.allCases.enumerated().map { index, connection in
            DeviceEvent(
                id: RecordID(high: UInt64(index), low: 3), at: instant(index), device: strap,
                state: DeviceState(connection: connection))
        }
        events.append(
            DeviceEvent(
                id: RecordID(high: 9, low: 3), at: instant(9), device: Device(),
                source: SourceRevision(name: "straps", version: "2"), person: "bob",
                state: DeviceState(contact: false, battery: 0.87), reason: "out of range",
                metadata: try Metadata(["PulsegateClockUnset": .boolean(true)])))
        events.append(
            DeviceEvent(
                id: RecordID(high: 10, low: 3), at: instant(10), device: strap,
                state: DeviceState(contact: true)))
        let outcome = try await store.save(events.map { .event($0) })
        XCTAssertEqual(outcome, SaveOutcome(stored: events.count))
        let all = try await store.events()
        XCTAssertEqual(all, events)
        let some = try await store.events(from: instant(1), to: instant(9), limit: 2)
        XCTAssertEqual(some, Array(events[1...2]))
        let lastOnes = try await store.events(from: instant(9), to: instant(10))
        XCTAssertEqual(lastOnes, [events[4]])
    }

    func testSave_ofNoRecords_storesNothing() async throws {
        let outcome = try await SQLiteStore(path: path).save([])
        XCTAssertEqual(outcome, SaveOutcome())
    }

    func testSave_again_changesNothing() async throws {
        let store = try SQLiteStore(path: path)
        var records = try heartRates(0..<10)
        records.append(.sample(try steps(1, from: 0, to: 60)))
        records.append(
            .event(
                DeviceEvent(
                    id: RecordID(high: 1, low: 3), at: instant(1), device: strap,
                    state: DeviceState(connection: .connected))))
        let first = try await store.save(records)
        XCTAssertEqual(first, SaveOutcome(stored: 12))
        let counts = try rowCounts()
        let second = try await store.save(records)
        XCTAssertEqual(second, SaveOutcome(alreadyStored: 12))
        let reopened = try await SQLiteStore(path: path).save(records)
        XCTAssertEqual(reopened, SaveOutcome(alreadyStored: 12))
        XCTAssertEqual(try rowCounts(), counts)
    }

    func testSave_ofBatchesThatOverlap_storesTheNewRecordsOnly() async throws {
        let store = try SQLiteStore(path: path)
        _ = try await store.save(heartRates(0..<10))
        let outcome = try await store.save(heartRates(5..<20))
        XCTAssertEqual(outcome, SaveOutcome(stored: 10, alreadyStored: 5))
        let read = try await store.samples(matching: SampleQuery(type: .heartRate))
        XCTAssertEqual(read.map { Record.sample($0) }, try heartRates(0..<20))
    }

    func testSave_ofAnIDTwice_keepsTheFirst() async throws {
        let store = try SQLiteStore(path: path)
        let first = try heartRate(1, person: "ada")
        let outcome = try await store.save([
            .sample(first), .sample(try heartRate(1, person: "bob")),
        ])
        XCTAssertEqual(outcome, SaveOutcome(stored: 1, alreadyStored: 1))
        let read = try await store.samples(matching: SampleQuery(type: .heartRate))
        XCTAssertEqual(read, [first])
    }

    func testSave_ofDevicesThatDifferInNilAndEmpty_distinguishesThem() async throws {
        let devices = [
            Device(), Device(name: ""), Device(serial: ""), Device(name: "a"),
            Device(manufacturer: "a"), strap,
        ]
        let sources = [nil, SourceRevision(name: "s"), SourceRevision(name: "s", version: "")]
        let store = try SQLiteStore(path: path)
        let samples = try (0..<36).map {
            try heartRate($0, device: devices[$0 % 6], source: sources[$0 % 3])
        }
        for sample in samples { _ = try await store.save([.sample(sample)]) }
        let counts = try rowCounts()
        XCTAssertEqual(counts["device"], 6)
        XCTAssertEqual(counts["source"], 2)
        let again = try SQLiteStore(path: path)
        _ = try await again.save([.sample(try heartRate(99, device: strap, source: sources[2]))])
        XCTAssertEqual(try rowCounts()["device"], 6)
        XCTAssertEqual(try rowCounts()["source"], 2)
        let read = try await again.samples(
            matching: SampleQuery(type: .heartRate, to: instant(99)))
        XCTAssertEqual(read, samples)
    }

    func testSave_ofMoreDevicesThanAreRemembered_refersToTheRightOnes() async throws {
        let store = try SQLiteStore(path: path)
        let samples = try (0..<3_000).map {
            try heartRate($0, device: Device(name: "device \($0 % 1_500)"))
        }
        _ = try await store.save(samples.map { .sample($0) })
        XCTAssertEqual(try rowCounts()["device"], 1_500)
        let read = try await store.samples(matching: SampleQuery(type: .heartRate))
        XCTAssertEqual(read, samples)
    }

    func testSave_inAStoreOpenedForReading_throws() async throws {
        _ = try SQLiteStore(path: path)
        let store = try SQLiteStore(readingFrom: path)
        let records = try heartRates(0..<1)
        let error = await caught { _ = try await store.save(records) }
        XCTAssertEqual((error as? SQLiteError)?.reason, .readOnly)
    }
}
