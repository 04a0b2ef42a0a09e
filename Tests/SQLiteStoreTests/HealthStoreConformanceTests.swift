import Foundation
import GatewayTesting
import HealthModel
import HealthStatistics
import HealthStore
import Platform
import XCTest

@testable import SQLiteStore

/// The two stores answer alike.
final class HealthStoreConformanceTests: CorrelationStoreTestCase {
    private func caught(
        _ body: () async throws(HealthStoreError) -> Void
    ) async -> HealthStoreError? {
        do {
            try await body()
            return nil
        } catch {
            return error
        }
    }

    func testSave_tellsWhatBecameOfEach() async throws {
        for store in try stores() {
            let results = try await store.save(
                heartRates(0..<2) + heartRates(1..<3) + [.correlation(pressure(40, at: 3))])
            XCTAssertEqual(results, [.stored, .stored, .alreadyStored, .stored, .stored])
            let count = try await store.delete([RecordID(high: 0, low: 1)])
            XCTAssertEqual(count, 1)
            let heart = try heartRate(7)
            let conflict = try Correlation(
                id: RecordID(high: 50, low: 7), type: .bloodPressure, start: instant(9),
                end: instant(9),
                samples: [.bloodPressureSystolic, .bloodPressureDiastolic].map { type in
                    // The diastolic pressure has the id of a heart rate.
                    .quantity(
                        try QuantitySample(
                            id: type == .bloodPressureDiastolic
                                ? heart.id : RecordID(high: 51, low: 1),
                            type: type, start: instant(9), end: instant(9),
                            quantity: Quantity(80, .millimeterOfMercury)))
                })
            let again = try await store.save(
                heartRates(0..<1) + [
                    .sample(heart), .correlation(conflict), .correlation(pressure(40, at: 3)),
                ])
            XCTAssertEqual(again, [.deletedBefore, .stored, .memberConflict, .alreadyStored])
            let empty = try await store.save([])
            XCTAssertEqual(empty, [])
        }
    }

    /// Its export would be refused by an import, and a query for the one person would show a sample of the other.
    func testCorrelation_withTheIDOfASampleOfAnotherPerson_isNotStored() async throws {
        for store in try stores() {
            func pressure(_ number: Int, _ person: String?, memberIDs: [Int]) throws -> Record {
                let types: [QuantityType] = [.bloodPressureSystolic, .bloodPressureDiastolic]
                let members = try zip(types, memberIDs).map { type, id in
                    try QuantitySample(
                        id: RecordID(high: UInt64(id), low: 6), type: type, start: instant(number),
                        end: instant(number), quantity: Quantity(80, .millimeterOfMercury),
                        person: person)
                }
                return .correlation(
                    try Correlation(
                        id: RecordID(high: UInt64(number), low: 7), type: .bloodPressure,
                        start: instant(number), end: instant(number),
                        samples: members.map { .quantity($0) }, person: person))
            }
            let results = try await store.save([
                pressure(1, "ada", memberIDs: [1, 2]), pressure(2, "bob", memberIDs: [3, 2]),
                pressure(3, nil, memberIDs: [1, 4]), pressure(4, "ada", memberIDs: [1, 5]),
                pressure(5, nil, memberIDs: [6, 7]), pressure(6, "bob", memberIDs: [6, 8]),
            ])
            XCTAssertEqual(
                results, [.stored, .memberConflict, .memberConflict, .stored, .stored, .stored])
            let read = try await store.samples(.bloodPressureSystolic)
            // The other samples of a refused correlation are not stored either.
            XCTAssertEqual(read.count, 2)
        }
    }

    func testTypedQuestions() async throws {
        for store in try stores() {
            var newest = try await store.mostRecent(.heartRate)
            XCTAssertNil(newest)
            _ = try await store.save(
                heartRates(0..<5) + [.sample(heartRate(9, person: "ada"))]
                    + [
                        .sample(steps(3, from: 10, to: 40)),
                        .sample(steps(4, from: 86_500, to: 86_600)),
                    ])
            newest = try await store.mostRecent(.heartRate)
            XCTAssertEqual(newest?.id.high, 9)
            newest = try await store.mostRecent(.heartRate, of: "eve")
            XCTAssertNil(newest)
            let days = try await store.dailyStatistics(
                of: .stepCount, last: 3, until: instant(86_700), in: LocalCalendar { _ in 0 })
            XCTAssertEqual(days.map { $0.sum?.value }, [nil, 3, 4])
            let some = try await store.samples(
                .heartRate, matching: .during(instant(1)..<instant(4)), order: .newestFirst,
                limit: 2)
            XCTAssertEqual(some.map(\.id.high), [3, 2])
            let none = try await store.workouts()
            XCTAssertEqual(none, [])
        }
    }

    func testForeignAnchor_isRefused_andIncalculableSums() async throws {
        for store in try stores() {
            let foreign = StoreAnchor(store: 1, number: 0)
            let error = await caught { () async throws(HealthStoreError) in
                _ = try await store.changes(since: foreign)
            }
            XCTAssertEqual(error, .foreignAnchor)
            let huge = try (0..<2).map { number in
                try QuantitySample(
                    id: RecordID(high: UInt64(number), low: 3), type: .stepCount,
                    start: instant(number), end: instant(number + 1),
                    quantity: Quantity(Double.greatestFiniteMagnitude, .count))
            }
            _ = try await store.save(huge.map { .sample($0) })
            let sum = await caught { () async throws(HealthStoreError) in
                _ = try await store.statistics(of: .stepCount, in: [instant(0)..<instant(9)])
            }
            XCTAssertEqual(sum, .incalculable(type: "stepCount"))
        }
    }

    /// A store may have what an earlier version has imported.
    func testAValueThatIsNoNumberInTheCanonicalUnit_isLeftOutOfStatistics() async throws {
        for store in try stores() {
            let far = try QuantitySample(
                id: RecordID(high: 9, low: 3), type: .heartRate, start: instant(1),
                end: instant(1), quantity: Quantity(1e308, Unit(parsing: "count/s")))
            _ = try await store.save(heartRates(0..<3) + [.sample(far)])
            let expected = try await store.statistics(
                of: .heartRate, in: [instant(0)..<instant(9)])
            XCTAssertEqual(expected.map(\.count), [3])
        }
    }

    func testMissingStore_isNotFound_andAReaderDoesNotWrite() async throws {
        XCTAssertThrowsError(try SQLiteHealthStore(reading: path)) {
            XCTAssertEqual($0 as? HealthStoreError, .notFound(path: path))
        }
        let store = try SQLiteHealthStore(opening: path)
        _ = try await store.save(heartRates(0..<3))
        let reader = try SQLiteHealthStore(reading: path)
        let found = try await reader.samples(.heartRate)
        XCTAssertEqual(found.count, 3)
        let records = try heartRates(3..<4)
        let error = await caught { () async throws(HealthStoreError) in
            _ = try await reader.save(records)
        }
        guard case .failed = error else { return XCTFail("\(String(describing: error))") }
    }

    // MARK: Commits

    func testCommits_ofThisAndOfAnotherConnection_wake() async throws {
        let memory = InMemoryStore()
        let file = try SQLiteHealthStore(opening: path)
        let other = try SQLiteHealthStore(opening: path)
        for (watched, writer) in [(memory, memory), (file, file), (file, other)]
            as [(any HealthStore, any HealthStore)]
        {
            var anchor = try await watched.currentAnchor()
            var commits = try await watched.commits().makeAsyncIterator()
            for _ in 0..<3 {
                let number = Int.random(in: 0..<1_000_000_000)
                _ = try await writer.save([.sample(heartRate(number))])
                var found: [UInt64] = []
                while found.isEmpty, await commits.next() != nil {
                    let changes = try await watched.changes(since: anchor)
                    found += changes.added.map(\.id.high)
                    anchor = changes.anchor
                }
                XCTAssertEqual(found, [UInt64(number)])
            }
        }
    }

    func testCommits_endWhenTheFileIsReplaced() async throws {
        let store = try SQLiteHealthStore(opening: path)
        let commits = try await store.commits()
        try FileManager.default.moveItem(atPath: path, toPath: path + ".old")
        _ = try SQLiteStore(path: path)
        for await _ in commits { XCTFail("a commit") }
    }

    func testCommits_endWithTheTask() async throws {
        for store in try stores() {
            let commits = try await store.commits()
            let task = Task {
                for await _ in commits {}
                return true
            }
            task.cancel()
            let hasEnded = await task.value
            XCTAssertTrue(hasEnded)
        }
    }
}
