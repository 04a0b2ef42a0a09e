import GatewayCore
import HealthModel
import HealthStatistics
import SQLite
import XCTest

@testable import HealthStore

/// Categories and correlations in the store: from lines of JSON into it and back.
final class CorrelationStoreTests: StoreTestCase {
    func sleep(
        _ number: Int, from start: Int, to end: Int, value: Int = 4,
        metadata: Metadata = Metadata()
    ) throws -> CategorySample {
        try CategorySample(
            id: RecordID(high: UInt64(number), low: 5), type: .sleepAnalysis, start: instant(start),
            end: instant(end), value: value, person: "ada", device: Device(name: "ring"),
            source: SourceRevision(name: "night", version: "1"), metadata: metadata)
    }

    func pressure(
        _ number: Int, at seconds: Int, systolic: Int? = nil, diastolic: Int? = nil,
        memberSeconds: Int? = nil
    ) throws -> Correlation {
        func member(
            _ id: Int, _ type: QuantityType, _ value: Double
        ) throws -> Correlation.Member {
            let start = instant(memberSeconds ?? seconds)
            return .quantity(
                try QuantitySample(
                    id: RecordID(high: UInt64(id), low: 6), type: type, start: start, end: start,
                    quantity: Quantity(value, .millimeterOfMercury), person: "ada"))
        }
        return try Correlation(
            id: RecordID(high: UInt64(number), low: 7), type: .bloodPressure,
            start: instant(seconds), end: instant(seconds),
            samples: [
                member(systolic ?? number * 2, .bloodPressureSystolic, 120),
                member(diastolic ?? number * 2 + 1, .bloodPressureDiastolic, 80),
            ], person: "ada", device: Device(name: "cuff"), metadata: Metadata(["x": .number(1)]))
    }

    /// A meal with a mindful moment.
    func meal(_ number: Int, at seconds: Int) throws -> Correlation {
        let energy = try QuantitySample(
            id: RecordID(high: UInt64(number), low: 8), type: .dietaryEnergyConsumed,
            start: instant(seconds), end: instant(seconds + 1),
            quantity: Quantity(640, .kilocalorie))
        let calm = try CategorySample(
            id: RecordID(high: UInt64(number), low: 9), type: .mindfulSession,
            start: instant(seconds), end: instant(seconds + 60), value: 0)
        return try Correlation(
            id: RecordID(high: UInt64(number), low: 10), type: .food, start: instant(seconds),
            end: instant(seconds + 60), samples: [.quantity(energy), .category(calm)])
    }

    /// Decodes the records of lines, as received from outside.
    private func read(_ records: [Record]) throws -> [Record] {
        let lines = RecordBatch(records).lines
        var decoder = RecordDecoder()
        return try (0..<lines.count).map { try decoder.decode(lines[$0]) }
    }

    private func counts() throws -> [Int64] {
        try ["sample", "category", "correlation", "member"].map {
            try integer("SELECT count(*) FROM \($0)")
        }
    }

    private func removeAll(beyond bounds: Retention.Bounds, from store: HealthStore) async throws {
        while try await store.removeNextBatch(beyond: bounds) > 0 {}
    }

    func testSave_ofLines_readsTheSame() async throws {
        let sleep = try sleep(1, from: 0, to: 1_800, metadata: Metadata(["a": .string("é")]))
        let pressure = try pressure(1, at: 100)
        let meal = try meal(2, at: 200)
        let store = try HealthStore(path: path)

        let outcome = try await store.save(
            read([.category(sleep), .correlation(pressure), .correlation(meal)]))

        XCTAssertEqual(outcome, SaveOutcome(stored: 3))
        let reader = try HealthStore(readingFrom: path)
        let samples = try await reader.categorySamples(of: .sleepAnalysis)
        XCTAssertEqual(samples, [sleep])
        let pressures = try await reader.correlations(of: .bloodPressure)
        XCTAssertEqual(pressures, [pressure])
        let meals = try await reader.correlations(of: .food)
        XCTAssertEqual(meals, [meal])
    }

    func testMembers_areFoundByOrdinaryQueries() async throws {
        let store = try HealthStore(path: path)
        let (pressure, meal) = (try pressure(1, at: 100), try meal(2, at: 200))
        _ = try await store.save([.correlation(pressure), .correlation(meal)])
        let systolic = try await store.samples(
            matching: SampleQuery(type: .bloodPressureSystolic, from: instant(50)))
        XCTAssertEqual(systolic.map { Correlation.Member.quantity($0) }, [pressure.samples[0]])
        let calm = try await store.categorySamples(of: .mindfulSession)
        XCTAssertEqual(calm.map { Correlation.Member.category($0) }, [meal.samples[1]])
        let count = try await store.count(of: .bloodPressureDiastolic)
        XCTAssertEqual(count, 1)
    }

    func testSave_ofACorrelation_isOneRecord_andOnceOnly() async throws {
        let store = try HealthStore(path: path)
        let records: [Record] = [
            .correlation(try pressure(1, at: 100)), .category(try sleep(1, from: 0, to: 1)),
        ]
        for expected in [SaveOutcome(stored: 2), SaveOutcome(alreadyStored: 2)] {
            let outcome = try await store.save(records)
            XCTAssertEqual(outcome, expected)
            XCTAssertEqual(try counts(), [2, 1, 1, 2])
        }
    }

    func testSave_whenAMemberIsStoredAlready_linksItAsItIs() async throws {
        let store = try HealthStore(path: path)
        let pressure = try pressure(1, at: 100)
        guard case .quantity(let first) = pressure.samples[0] else { return XCTFail("no sample") }
        let earlier = try QuantitySample(
            id: first.id, type: first.type, start: first.start, end: first.end,
            quantity: Quantity(119, .millimeterOfMercury))
        _ = try await store.save([.sample(earlier)])
        let outcome = try await store.save([.correlation(pressure)])
        XCTAssertEqual(outcome, SaveOutcome(stored: 1))
        XCTAssertEqual(try counts(), [2, 0, 1, 2])
        let read = try await store.correlations(of: .bloodPressure)
        XCTAssertEqual(read.first?.samples, [.quantity(earlier), pressure.samples[1]])
    }

    func testMembers_ofACustomType_areReadWhetherItIsDeclaredOrNot() async throws {
        let own = try QuantityType(
            custom: "dietaryCocoa", aggregationStyle: .discreteArithmetic, unit: .kilogram)
        let cocoa = try QuantitySample(
            id: RecordID(high: 1, low: 8), type: own, start: instant(5), end: instant(5),
            quantity: Quantity(0.1, .kilogram))
        let meal = try Correlation(
            id: RecordID(high: 1, low: 10), type: .food, start: instant(5), end: instant(5),
            samples: [.quantity(cocoa)])
        let store = try HealthStore(path: path)
        _ = try await store.save([.correlation(meal)])
        let declared = try await store.correlations(
            of: .food, types: QuantityTypes(custom: [own]))
        XCTAssertEqual(declared, [meal])
        let undeclared = try await store.correlations(of: .food)
        XCTAssertEqual(undeclared, [meal])
    }

    func testSave_whenAMembersIDIsAnotherSamples_leavesTheCorrelationOut() async throws {
        let store = try HealthStore(path: path)
        let pressure = try pressure(1, at: 100)
        let other = try QuantitySample(
            id: pressure.samples[1].id, type: .heartRate, start: instant(0), end: instant(0),
            quantity: Quantity(60, .countPerMinute))
        _ = try await store.save([.sample(other)])
        let outcome = try await store.save([.correlation(pressure)])
        XCTAssertEqual(outcome, SaveOutcome(alreadyStored: 1))
        XCTAssertEqual(try counts(), [1, 0, 0, 0])
        let read = try await store.correlations(of: .bloodPressure)
        XCTAssertEqual(read, [])
    }

    func testQueries_ofATime_takeWhatOverlapsIt_oldestFirst() async throws {
        let store = try HealthStore(path: path)
        let nights = try (0..<5).map { try sleep($0, from: $0 * 100, to: $0 * 100 + 50) }
        let pressures = try (0..<5).map { try pressure($0, at: $0 * 100) }
        _ = try await store.save(
            nights.reversed().map { .category($0) } + pressures.reversed().map { .correlation($0) })
        let overlapping = try await store.categorySamples(
            of: .sleepAnalysis, from: instant(120), to: instant(300))
        XCTAssertEqual(overlapping, [nights[1], nights[2]])
        let from = try await store.correlations(
            of: .bloodPressure, from: instant(100), to: instant(300))
        XCTAssertEqual(from, [pressures[1], pressures[2]])
        let first = try await store.correlations(of: .bloodPressure, limit: 2)
        XCTAssertEqual(first, Array(pressures.prefix(2)))
        let none = try await store.categorySamples(of: .appleStandHour)
        XCTAssertEqual(none, [])
    }

    func testRemove_byAge_takesCorrelationsAndTheirMembersTogether() async throws {
        let store = try HealthStore(path: path)
        _ = try await store.save([
            .correlation(try pressure(1, at: 100)),
            // One member is old, the other is not.
            .correlation(try pressure(2, at: 100, memberSeconds: 900)),
            .correlation(try pressure(3, at: 900, memberSeconds: 100)),
            .correlation(try meal(4, at: 100)), .correlation(try pressure(5, at: 900)),
            .category(try sleep(1, from: 0, to: 1_000)),
            .category(try sleep(2, from: 800, to: 900)),
        ])
        try await removeAll(beyond: Retention.Bounds(start: instant(500)), from: store)
        XCTAssertEqual(try counts(), [2, 1, 1, 2])
        let left = try await store.correlations(of: .bloodPressure)
        XCTAssertEqual(left, [try pressure(5, at: 900)])
    }

    func testRemove_ofACorrelation_leavesTheSamplesThatAnotherNeeds() async throws {
        let store = try HealthStore(path: path)
        let old = try pressure(1, at: 100, systolic: 50, diastolic: 51, memberSeconds: 900)
        let young = try pressure(2, at: 900, systolic: 50, diastolic: 52, memberSeconds: 900)
        _ = try await store.save([.correlation(old), .correlation(young)])
        try await removeAll(beyond: Retention.Bounds(start: instant(500)), from: store)
        XCTAssertEqual(try counts(), [2, 0, 1, 2])
        let left = try await store.correlations(of: .bloodPressure)
        XCTAssertEqual(left, [young])
        try await removeAll(beyond: Retention.Bounds(start: instant(1_000)), from: store)
        XCTAssertEqual(try counts(), [0, 0, 0, 0])
    }

    func testRemove_bySize_leavesNoPartOfACorrelation() async throws {
        let store = try HealthStore(path: path)
        for batch in 0..<10 {
            let numbers = batch * 300..<(batch + 1) * 300
            _ = try await store.save(
                numbers.flatMap { number -> [Record] in
                    [
                        .correlation(try pressure(number, at: number)),
                        .sample(try heartRate(number)),
                        .category(try sleep(number, from: number, to: number + 1)),
                    ]
                })
        }
        let full =
            try (integer("PRAGMA page_count") - integer("PRAGMA freelist_count"))
            * integer("PRAGMA page_size")
        try await removeAll(beyond: Retention.Bounds(bytes: full / 2), from: store)
        let counts = try counts()
        XCTAssertLessThan(counts[2], 3_000)
        XCTAssertGreaterThan(counts[2], 300)
        XCTAssertEqual(counts[3], counts[2] * 2)
        let read = try await store.correlations(of: .bloodPressure)
        XCTAssertEqual(Int64(read.count), counts[2])
        try await removeAll(beyond: Retention.Bounds(bytes: 1), from: store)
        XCTAssertEqual(try self.counts(), [0, 0, 0, 0])
    }

    func testSave_thatFails_leavesNoPartOfACorrelation() async throws {
        let store = try HealthStore(path: path)
        _ = try await store.save(heartRates(0..<1))
        try execute(
            """
            CREATE TRIGGER refused BEFORE INSERT ON member
            WHEN (SELECT count(*) FROM member) = 1 BEGIN SELECT RAISE(ABORT, 'no'); END
            """)
        let error = await caught {
            _ = try await store.save([.correlation(try self.pressure(1, at: 100))])
        }
        XCTAssertNotNil(error)
        XCTAssertEqual(try counts(), [1, 0, 0, 0])
        try execute("DROP TRIGGER refused")
        let outcome = try await store.save([.correlation(try pressure(1, at: 100))])
        XCTAssertEqual(outcome, SaveOutcome(stored: 1))
        let read = try await store.correlations(of: .bloodPressure)
        XCTAssertEqual(read, [try pressure(1, at: 100)])
    }

    func testQuery_ofDamagedRows_namesThem() async throws {
        let store = try HealthStore(path: path)
        _ = try await store.save([
            .correlation(try pressure(1, at: 100)), .category(try sleep(1, from: 0, to: 1)),
        ])
        try execute("UPDATE category SET value = 77; DELETE FROM member WHERE sample = 1")
        let category = await caught { _ = try await store.categorySamples(of: .sleepAnalysis) }
        XCTAssertEqual(
            category as? HealthStoreError,
            .unreadable(table: "category", row: 1, column: "value, start_ns or end_ns", path: path))
        let correlation = await caught { _ = try await store.correlations(of: .bloodPressure) }
        XCTAssertEqual(
            correlation as? HealthStoreError,
            .unreadable(table: "correlation", row: 1, column: "members, start_ns or end_ns", path: path))
    }

    func testOpen_ofVersion2_isReadAsItIs_andBroughtUpToDateByTheWriter() async throws {
        try SQLiteConnection(path: path, access: .readWrite)
            .migrate(applicationID: Schema.applicationID, steps: Array(Schema.steps.prefix(2)))
        try execute(
            """
            INSERT INTO type (id, name) VALUES (1, 'heartRate');
            INSERT INTO unit (id, name) VALUES (1, 'count/min');
            INSERT INTO sample (id, type, start_ns, end_ns, value, unit)
            VALUES (x'00000000000000070000000000000001', 1, 7000000000, 7000000000, 67, 1);
            """)
        let old = try heartRate(7)
        let reader = try HealthStore(readingFrom: path)
        let read = try await reader.samples(matching: SampleQuery(type: .heartRate))
        XCTAssertEqual(read, [old])
        let nights = try await reader.categorySamples(of: .sleepAnalysis)
        XCTAssertEqual(nights, [])
        let pressures = try await reader.correlations(of: .bloodPressure)
        XCTAssertEqual(pressures, [])
        for limit in [StoreCheck.fullCheckBytes, 0] {
            try StoreCheck(path: path, fullCheckBytes: limit).run()
        }

        let store = try HealthStore(path: path)
        let outcome = try await store.save([
            .correlation(try pressure(1, at: 100)), .category(try sleep(1, from: 0, to: 1)),
        ])

        XCTAssertEqual(outcome, SaveOutcome(stored: 2))
        XCTAssertEqual(try integer("PRAGMA user_version"), Int64(Schema.steps.count))
        let kept = try await store.samples(matching: SampleQuery(type: .heartRate))
        XCTAssertEqual(kept, [old])
        let all = try await store.correlations(of: .bloodPressure)
        XCTAssertEqual(all, [try pressure(1, at: 100)])
    }

    func testQuery_ofACorrelationThatIsLongerThanALine_readsIt() async throws {
        // Its members were stored before, with much more metadata than in the correlation.
        func members(_ text: String) throws -> [QuantitySample] {
            try (0..<20).map { number in
                try QuantitySample(
                    id: RecordID(high: UInt64(number), low: 8), type: .dietaryEnergyConsumed,
                    start: instant(5), end: instant(6), quantity: Quantity(64, .kilocalorie),
                    metadata: Metadata(["a": .string(text)]))
            }
        }
        let long = try members(String(repeating: "a", count: 4_000))
        let meal = try Correlation(
            id: RecordID(high: 1, low: 10), type: .food, start: instant(5), end: instant(6),
            samples: members("a").map { .quantity($0) })
        let store = try HealthStore(path: path)
        _ = try await store.save(long.map { .sample($0) } + [.correlation(meal)])
        let read = try await store.correlations(of: .food)
        XCTAssertEqual(read.map(\.samples), [long.map { .quantity($0) }])
    }

    func testQuery_ofMetadataThatWouldBeRefusedToday_readsIt() async throws {
        // It was stored by a version that did not check the values of known keys.
        let store = try HealthStore(path: path)
        _ = try await store.save([.sample(try heartRate(1, metadata: Metadata(["a": .number(1)])))])
        try execute("UPDATE sample SET metadata = '{\"HKMetadataKeySyncIdentifier\":7}'")
        let samples = try await store.samples(matching: SampleQuery(type: .heartRate))
        XCTAssertEqual(samples.map { $0.metadata[MetadataKey.syncIdentifier.name] }, [.number(7)])
    }

    func testStatistics_ofNoSpan_areNone_whateverTheGap() async throws {
        let store = try HealthStore(path: path)
        _ = try await store.save(heartRates(0..<3))
        var options = StatisticsOptions()
        options.gapLimitSeconds = .nan
        let none = try await store.statistics(
            of: SampleQuery(type: .heartRate), in: [], options: options)
        XCTAssertEqual(none, [])
        let all = try await store.statistics(
            of: SampleQuery(type: .heartRate), in: [instant(0)..<instant(3)], options: options)
        XCTAssertEqual(all.map(\.count), [3])
    }
}
