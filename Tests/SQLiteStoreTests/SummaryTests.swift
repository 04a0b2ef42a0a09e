import HealthModel
import HealthStatistics
import HourSummaries
import SQLite
import XCTest

@testable import SQLiteStore

/// Summaries of hours: what they contain, and when they are calculated again.
final class SummaryTests: StoreTestCase {
    private let hour = 3_600

    /// Heart rates every ten seconds for some hours.
    private func makeStore(hours: Int, person: String? = nil) async throws -> SQLiteStore {
        let store = try SQLiteStore(path: path)
        let samples = try (0..<hours * 360).map {
            Record.sample(try heartRate($0 + 1, at: $0 * 10, person: person))
        }
        _ = try await store.save(samples)
        return store
    }

    private func summarise(_ store: SQLiteStore) async throws -> Int {
        var steps = 0
        while try await store.summariseNextHours() != nil { steps += 1 }
        return steps
    }

    private func average(_ store: SQLiteStore, from: Int, to: Int) async throws -> Double? {
        try await store.statistics(
            of: SampleQuery(type: .heartRate), in: [instant(from)..<instant(to)])[0].average?.value
    }

    func testSummaries_areRowsOfHours_butNotOfTheNewest() async throws {
        let store = try await makeStore(hours: 5)
        let steps = try await summarise(store)
        XCTAssertEqual(steps, 1)
        XCTAssertEqual(try integer("SELECT count(*) FROM summary"), 4)
        XCTAssertEqual(try integer("SELECT sum(started) FROM summary"), 4 * 360)
        XCTAssertEqual(try integer("SELECT until_hour FROM summary_progress"), 4)
    }

    func testStatistics_useTheSummaries() async throws {
        let store = try await makeStore(hours: 5)
        _ = try await summarise(store)
        // What nobody else writes shows that the row is read.
        try execute("UPDATE summary SET integral = 70 * seconds")
        let average = try await average(store, from: hour, to: 3 * hour)
        XCTAssertEqual(average ?? 0, 70, accuracy: 1e-9)
        let newest = try await self.average(store, from: 4 * hour, to: 5 * hour)
        XCTAssertNotEqual(newest, 70)
    }

    /// A store may have what an earlier version has imported.
    func testAValueThatIsNoNumberInTheCanonicalUnit_isInNoSummary() async throws {
        let store = try await makeStore(hours: 3)
        let far = try QuantitySample(
            id: RecordID(high: 1, low: 99), type: .heartRate, start: instant(5), end: instant(5),
            quantity: Quantity(1e308, Unit(parsing: "count/s")))
        _ = try await store.save([.sample(far)])
        _ = try await summarise(store)
        XCTAssertEqual(try integer("SELECT sum(started) FROM summary"), 2 * 360)
        let spans = [instant(0)..<instant(hour)]
        let counts = try await store.statistics(of: SampleQuery(type: .heartRate), in: spans)
        XCTAssertEqual(counts.map(\.count), [360])
    }

    func testStatistics_withAnotherGapOrADevice_readSamples() async throws {
        let store = try await makeStore(hours: 3)
        _ = try await summarise(store)
        try execute("UPDATE summary SET integral = 70 * seconds")
        var options = StatisticsOptions()
        options.gapLimitSeconds = 60
        let spans = [instant(0)..<instant(hour)]
        let ofWorkout = try await store.statistics(
            of: SampleQuery(type: .heartRate), in: spans, options: options)
        XCTAssertNotEqual(ofWorkout[0].average?.value, 70)
        let ofDevice = try await store.statistics(
            of: SampleQuery(type: .heartRate, device: "none"), in: spans)
        XCTAssertEqual(ofDevice[0].count, 0)
    }

    func testALateSample_isInTheStatisticsAtOnce_andMarksItsHours() async throws {
        let store = try await makeStore(hours: 5)
        _ = try await summarise(store)
        let late = try QuantitySample(
            id: RecordID(high: 9_999, low: 9), type: .heartRate, start: instant(2 * hour + 1),
            end: instant(2 * hour + 1), quantity: Quantity(200, Unit(parsing: "count/min")))
        _ = try await store.save([.sample(late)])
        XCTAssertEqual(try integer("SELECT first_hour * 100 + last_hour FROM summary_mark"), 102)
        let found = try await store.statistics(
            of: SampleQuery(type: .heartRate), in: [instant(0)..<instant(5 * hour)])
        XCTAssertEqual(found[0].count, 5 * 360 + 1)
        XCTAssertEqual(found[0].maximum?.value, 200)
        let steps = try await summarise(store)
        XCTAssertEqual(steps, 1)
        XCTAssertEqual(try integer("SELECT count(*) FROM summary_mark"), 0)
        XCTAssertEqual(try integer("SELECT max(maximum) FROM summary"), 200)
    }

    func testALateSample_changesTheAverageOfTheHourBefore() async throws {
        let store = try SQLiteStore(path: path)
        let minutes = [50, 55, 70, 200]
        _ = try await store.save(try minutes.map { .sample(try heartRate($0, at: $0 * 60)) })
        _ = try await summarise(store)
        let before = try await average(store, from: 0, to: hour)
        // 62 is within ten minutes of 55 and of 70: now the average counts the time up to the hour.
        _ = try await store.save([.sample(try heartRate(62, at: 62 * 60))])
        let late = try await average(store, from: 0, to: hour)
        XCTAssertNotEqual(before, late)
        _ = try await summarise(store)
        let after = try await average(store, from: 0, to: hour)
        XCTAssertEqual(late ?? 0, after ?? 1, accuracy: 1e-9)
    }

    func testALateSample_ofAnotherStore_marksItsHours() async throws {
        let first = try await makeStore(hours: 5)
        let second = try SQLiteStore(path: path)
        // The second one has read before that nothing is summarised.
        _ = try await second.save([.sample(try heartRate(7_000, at: 5 * hour))])
        _ = try await summarise(first)
        _ = try await second.save([.sample(try heartRate(7_001, at: hour + 5))])
        XCTAssertEqual(try integer("SELECT count(*) FROM summary_mark"), 1)
    }

    func testDeletion_removesTheSummariesOfItsHoursAtOnce() async throws {
        let store = try await makeStore(hours: 5, person: "ada")
        _ = try await summarise(store)
        _ = try await store.delete(.person("ada"), at: instant(0))
        XCTAssertEqual(try integer("SELECT count(*) FROM summary"), 0)
        let found = try await store.statistics(
            of: SampleQuery(type: .heartRate), in: [instant(0)..<instant(5 * hour)])
        XCTAssertEqual(found[0].count, 0)
    }

    func testOpen_ofVersion6_readsSamples_andSummarisesOnceItIsMigrated() async throws {
        do {
            let connection = try SQLiteConnection(path: path, access: .readWrite)
            try connection.migrate(
                applicationID: Schema.applicationID, steps: Array(Schema.steps.prefix(6)))
            try connection.pragma("journal_mode", to: "WAL")
            try connection.execute(
                """
                INSERT INTO type (id, name) VALUES (1, 'heartRate');
                INSERT INTO unit VALUES (1, 'count/min');
                INSERT INTO origin VALUES (1, 1, NULL, NULL, NULL, 0);
                """)
            for number in 0..<5 {
                try connection.execute(
                    """
                    INSERT INTO sample VALUES (
                        \(number), x'0000000000000000000000000000000\(number)', 1, 1,
                        \(number) * 1800000000000, 0, 60, NULL);
                    """)
            }
        }
        let spans = [instant(0)..<instant(2 * hour)]
        let query = SampleQuery(type: .heartRate)
        let before = try await SQLiteStore(readingFrom: path).statistics(of: query, in: spans)
        XCTAssertEqual(try integer("PRAGMA user_version"), 6)
        XCTAssertEqual(before[0].count, 4)
        let store = try SQLiteStore(path: path)
        XCTAssertEqual(try integer("PRAGMA user_version"), Int64(Schema.steps.count))
        _ = try await summarise(store)
        XCTAssertGreaterThan(try integer("SELECT count(*) FROM summary"), 0)
        let after = try await store.statistics(of: query, in: spans)
        XCTAssertEqual(after[0].count, 4)
    }

    func testRemovedSummaries_areCalculatedAgain() async throws {
        let store = try await makeStore(hours: 5)
        _ = try await summarise(store)
        try await store.removeSummaries()
        XCTAssertEqual(try integer("SELECT count(*) FROM summary"), 0)
        _ = try await summarise(store)
        XCTAssertEqual(try integer("SELECT count(*) FROM summary"), 4)
    }

    func testAType_thatIsDeclaredOtherwiseNow_isSummarisedAgain() async throws {
        let store = try await makeStore(hours: 5)
        _ = try await summarise(store)
        try execute("UPDATE summary_progress SET unit = 'm'; UPDATE summary SET maximum = 999")
        let before = try await store.statistics(
            of: SampleQuery(type: .heartRate), in: [instant(0)..<instant(5 * hour)])
        XCTAssertNotEqual(before[0].maximum?.value, 999)
        _ = try await summarise(store)
        XCTAssertNotEqual(try integer("SELECT max(maximum) FROM summary"), 999)
    }

    func testAnUnreadableType_doesNotStopOthers() async throws {
        let store = try await makeStore(hours: 5)
        _ = try await store.save([
            .sample(try steps(1, from: 0, to: 10)), .sample(try steps(2, from: 9_000, to: 9_010)),
        ])
        try execute(
            """
            UPDATE sample SET duration_ns = 0
            WHERE type = (SELECT id FROM type WHERE name = 'stepCount')
            """)
        var failures = 0
        for _ in 0..<5 {
            do {
                _ = try await store.summariseNextHours()
            } catch {
                failures += 1
            }
        }
        XCTAssertEqual(failures, 1)
        XCTAssertEqual(try integer("SELECT count(*) FROM summary"), 4)
    }

    func testSummaries_ofADamagedFile_trapNowhere() async throws {
        let store = try await makeStore(hours: 3)
        _ = try await summarise(store)
        for value in ["9223372036854775807", "-9223372036854775808", "1e999", "'x'", "x'00'"] {
            for column in ["hour", "started", "latest", "latest_end_ns", "covered_ns", "integral"] {
                try execute("UPDATE OR REPLACE summary SET \(column) = \(value)")
            }
            try execute("UPDATE summary_progress SET until_hour = \(value)")
            try execute("INSERT OR REPLACE INTO summary_mark VALUES (1, \(value), \(value))")
            let query = SampleQuery(type: .heartRate)
            let spans = [instant(0)..<instant(3 * hour)]
            _ = try? await store.statistics(of: query, in: spans)
            _ = try? await store.statisticsByOrigin(of: query, in: spans)
            for _ in 0..<3 { _ = try? await store.summariseNextHours() }
            _ = try? await store.save([.sample(try heartRate(8_000, at: 5))])
        }
        try await store.removeSummaries()
        _ = try await summarise(store)
        XCTAssertEqual(try integer("SELECT count(*) FROM summary"), 2)
    }
}

/// The pieces of spans.
final class StatisticsPieceTests: XCTestCase {
    private func instant(_ minutes: Int64) -> Instant {
        Instant(nanosecondsSince1970: minutes * 60_000_000_000)
    }

    private func pieces(
        _ span: Range<Int64>, until: Int64, _ marks: [ClosedRange<Int64>] = []
    ) -> [String] {
        StatisticsPiece.pieces(
            of: [instant(span.lowerBound)..<instant(span.upperBound)], until: until, marks: marks
        ).map { piece in
            let minutes = piece.span.lowerBound.nanosecondsSince1970 / 60_000_000_000
            return piece.hours.map { "\(minutes):\($0)" } ?? "\(minutes)"
        }
    }

    func testPieces_areWholeHours_andTheRest() {
        XCTAssertEqual(pieces(0..<180, until: 9), ["0:0..<3"])
        XCTAssertEqual(pieces(30..<190, until: 9), ["30", "60:1..<3", "180"])
        XCTAssertEqual(pieces(30..<70, until: 9), ["30"])
        XCTAssertEqual(pieces(-100..<60, until: 9), ["-100", "0:0..<1"])
        XCTAssertEqual(pieces(0..<180, until: 2), ["0:0..<2", "120"])
        XCTAssertEqual(pieces(0..<180, until: 0), ["0"])
    }

    func testMarkedHours_areLeftOut() {
        XCTAssertEqual(pieces(0..<300, until: 9, [1...1, 1...2]), ["0:0..<1", "60", "180:3..<5"])
        XCTAssertEqual(pieces(0..<300, until: 9, [0...9]), ["0"])
        XCTAssertEqual(pieces(60..<120, until: 9, [0...0, 2...2]), ["60:1..<2"])
    }
}
