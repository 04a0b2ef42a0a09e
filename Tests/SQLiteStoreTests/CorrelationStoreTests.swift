import GatewayCore
import HealthModel
import HealthStore
import XCTest

@testable import SQLiteStore

/// Category samples and correlations in the store: from lines of JSON into it and back.
final class CorrelationStoreTests: CorrelationStoreTestCase {
    func testSave_ofLines_readsTheSame() async throws {
        let sleep = try sleep(1, from: 0, to: 1_800, metadata: Metadata(["a": .string("é")]))
        let pressure = try pressure(1, at: 100)
        let meal = try meal(2, at: 200)
        let store = try SQLiteStore(path: path)

        let outcome = try await store.save(
            read([.category(sleep), .correlation(pressure), .correlation(meal)]))

        XCTAssertEqual(outcome, SaveOutcome(stored: 3))
        let reader = try SQLiteStore(readingFrom: path)
        let samples = try await reader.categorySamples(of: .sleepAnalysis)
        XCTAssertEqual(samples, [sleep])
        let pressures = try await reader.correlations(of: .bloodPressure)
        XCTAssertEqual(pressures, [pressure])
        let meals = try await reader.correlations(of: .food)
        XCTAssertEqual(meals, [meal])
    }

    func testMembers_areFoundByOrdinaryQueries() async throws {
        let store = try SQLiteStore(path: path)
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
        let store = try SQLiteStore(path: path)
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
        let store = try SQLiteStore(path: path)
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
        let store = try SQLiteStore(path: path)
        _ = try await store.save([.correlation(meal)])
        let declared = try await store.correlations(
            of: .food, types: QuantityTypes(custom: [own]))
        XCTAssertEqual(declared, [meal])
        let undeclared = try await store.correlations(of: .food)
        XCTAssertEqual(undeclared, [meal])
    }

    func testSave_whenAMembersIDIsAnotherSamples_leavesTheCorrelationOut() async throws {
        let store = try SQLiteStore(path: path)
        let pressure = try pressure(1, at: 100)
        let other = try QuantitySample(
            id: pressure.samples[1].id, type: .heartRate, start: instant(0), end: instant(0),
            quantity: Quantity(60, .countPerMinute))
        _ = try await store.save([.sample(other)])
        let outcome = try await store.save([.correlation(pressure)])
        XCTAssertEqual(outcome.conflicts, [pressure.id])
        XCTAssertEqual(outcome.importedCount, 0)
        XCTAssertEqual(try counts(), [1, 0, 0, 0])
        let read = try await store.correlations(of: .bloodPressure)
        XCTAssertEqual(read, [])
    }

    func testQueries_ofATime_takeWhatOverlapsIt_oldestFirst() async throws {
        let store = try SQLiteStore(path: path)
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
}
