import Foundation
import HealthModel
import XCTest

@testable import HealthStore

final class RecordPredicateTests: XCTestCase {
    private let strap = Device(name: "Strap", model: "H10", serial: "7")

    private func instant(_ seconds: Int) -> Instant {
        Instant(nanosecondsSince1970: Int64(seconds) * 1_000_000_000)
    }

    private func steps(
        from start: Int, to end: Int, count: Double = 5, person: String? = "ada",
        device: Device? = nil, metadata: Metadata = Metadata()
    ) throws -> Record {
        .sample(
            try QuantitySample(
                id: RecordID(high: UInt64(start), low: UInt64(end)), type: .stepCount,
                start: instant(start), end: instant(end), quantity: Quantity(count, .count),
                person: person, device: device,
                source: SourceRevision(name: "foot", version: "2"), metadata: metadata))
    }

    // MARK: Periods

    /// HealthKit's options: overlap, strict start, strict end; half open.
    func testPeriod_isHalfOpen() {
        typealias Period = RecordPredicate.Period
        let spans = [(0, 5), (5, 10), (8, 12), (10, 10), (12, 20), (18, 20), (18, 22), (20, 30)]
        func found(_ period: Period) -> [Int] {
            spans.indices.filter {
                let (start, end) = spans[$0]
                return period.contains((instant(start), instant(end)))
            }
        }
        let (start, end) = (instant(10), instant(20))
        XCTAssertEqual(found(Period(start: start, end: end)), [2, 3, 4, 5, 6])
        XCTAssertEqual(
            found(Period(start: start, end: end, isStartStrict: true)), [3, 4, 5, 6])
        XCTAssertEqual(found(Period(start: start, end: end, isEndStrict: true)), [2, 3])
        XCTAssertEqual(
            found(Period(start: start, end: end, isStartStrict: true, isEndStrict: true)), [3])
        XCTAssertEqual(found(Period(start: instant(20))), [6, 7])
        XCTAssertEqual(found(Period(end: instant(5))), [0])
        XCTAssertEqual(found(Period()), Array(spans.indices))
    }

    // MARK: Properties

    func testDevice_isEqualInAllProperties_orHasOneValue() throws {
        let record = try steps(from: 0, to: 1, device: strap)
        let none = try steps(from: 0, to: 1)
        XCTAssertTrue(RecordPredicate.device(strap).matches(record))
        XCTAssertFalse(RecordPredicate.device(Device(name: "Strap")).matches(record))
        XCTAssertTrue(RecordPredicate.device(nil).matches(none))
        for (property, values, isMatch) in [
            (.model, ["H9", "H10"], true), (.model, ["h10"], false), (.manufacturer, [], true),
            (.model, [], false), (.serial, ["7"], true), (.name, ["Strap"], true),
        ] as [(RecordPredicate.DeviceProperty, Set<String>, Bool)] {
            let predicate = RecordPredicate.deviceProperty(property, values)
            XCTAssertEqual(predicate.matches(record), isMatch, "\(property) \(values)")
            XCTAssertFalse(predicate.matches(none))
        }
    }

    func testMetadata_isComparedByKind() throws {
        let metadata = try Metadata([
            "n": .number(3), "s": .string("b"), "q": .quantity(Quantity(1, .kilometer)),
            "d": .date(instant(9)), "b": .boolean(true),
        ])
        let record = try steps(from: 0, to: 1, metadata: metadata)
        for (key, comparison, value, isMatch) in [
            ("n", .greaterThan, .number(2), true), ("n", .lessThan, .number(2), false),
            ("s", .equalTo, .string("b"), true), ("s", .equalTo, .number(1), false),
            ("s", .notEqualTo, .number(1), false),
            ("q", .equalTo, .quantity(try Quantity(1_000, .meter)), true),
            ("q", .lessThanOrEqualTo, .quantity(try Quantity(1, .second)), false),
            ("d", .greaterThanOrEqualTo, .date(instant(9)), true),
            ("b", .equalTo, .boolean(true), true), ("x", .notEqualTo, .number(1), false),
        ] as [(String, RecordPredicate.Comparison, MetadataValue, Bool)] {
            let predicate = RecordPredicate.metadata(key, comparison, value)
            XCTAssertEqual(predicate.matches(record), isMatch, "\(predicate)")
        }
        XCTAssertTrue(RecordPredicate.hasMetadata("s").matches(record))
        XCTAssertFalse(RecordPredicate.hasMetadata("t").matches(record))
    }

    func testValues_areComparedInAnyCompatibleUnit() throws {
        let record = try steps(from: 0, to: 1, count: 5)
        XCTAssertTrue(
            RecordPredicate.quantity(.equalTo, try Quantity(5, .count)).matches(record))
        XCTAssertFalse(
            RecordPredicate.quantity(.notEqualTo, try Quantity(5, .meter)).matches(record))
        XCTAssertFalse(RecordPredicate.category(.equalTo, 5).matches(record))
        let sleep = Record.category(
            try CategorySample(
                id: RecordID(high: 1, low: 1), type: .sleepAnalysis, start: instant(0),
                end: instant(5), value: 4))
        XCTAssertTrue(RecordPredicate.category(.greaterThan, 3).matches(sleep))
        XCTAssertFalse(
            RecordPredicate.quantity(.greaterThan, try Quantity(3, .count)).matches(sleep))
    }

    func testSourceAndPerson_andComposition() throws {
        let record = try steps(from: 0, to: 1)
        XCTAssertTrue(RecordPredicate.source(name: "foot").matches(record))
        XCTAssertTrue(RecordPredicate.source(name: "foot", version: "2").matches(record))
        XCTAssertFalse(RecordPredicate.source(name: "foot", version: "3").matches(record))
        XCTAssertFalse(RecordPredicate.person(nil).matches(record))
        let both: RecordPredicate = .type(.stepCount) && .person("ada") && !.wasEntered
        XCTAssertTrue(both.matches(record))
        XCTAssertTrue((RecordPredicate.person("eve") || both).matches(record))
        XCTAssertFalse((!both).matches(record))
        XCTAssertTrue(RecordPredicate.and([]).matches(record))
        XCTAssertFalse(RecordPredicate.or([]).matches(record))
    }

    // MARK: Coding

    func testPredicate_isDecodedAgain() throws {
        let predicate: RecordPredicate =
            .type(.heartRate) && .during(instant(0)..<instant(9))
            && (.device(strap) || .device(nil) || .deviceProperty(.serial, ["7"]))
            && .not(.ids([RecordID(high: 1, low: 2)])) && .person(nil)
            && .quantity(.greaterThan, try Quantity(100, .countPerMinute))
            && .metadata("d", .lessThan, .date(instant(4)))
            && .metadata("q", .lessThan, .quantity(try Quantity(4, .meter)))
            && .source(name: "x") && .workout(RecordID(high: 3, low: 4)) && .category(.equalTo, 1)
            && .hasMetadata("k") && .kind(.event) && .all
        let data = try JSONEncoder().encode(predicate)
        XCTAssertEqual(try JSONDecoder().decode(RecordPredicate.self, from: data), predicate)
    }

    func testDamagedPredicate_isRefused() {
        for text in [
            "1", "{}", #"{"nothing":{}}"#, #"{"kind":{"_0":9}}"#, #"{"ids":{"_0":["x"]}}"#,
            #"{"quantity":{"_0":">","_1":{"value":1,"unit":"parsec"}}}"#,
            #"{"period":{"_0":{"start":"yesterday"}}}"#,
        ] {
            XCTAssertThrowsError(
                try JSONDecoder().decode(RecordPredicate.self, from: Data(text.utf8)), text)
        }
    }

    // MARK: Bounds

    func testBounds_containEveryMatch() throws {
        let bounds = RecordBounds(
            .type(.heartRate)
                && (.during(instant(2)..<instant(5)) || .during(instant(7)..<instant(9)))
                && .person("ada"))
        XCTAssertEqual(bounds.types, ["heartRate"])
        XCTAssertEqual(bounds.start, instant(2))
        XCTAssertEqual(bounds.end, instant(9))
        XCTAssertEqual(bounds.person, "ada")
        XCTAssertNil(RecordBounds(.type(.heartRate) || .person("ada")).types)
        XCTAssertNil(RecordBounds(!.type(.heartRate)).types)
        XCTAssertEqual(RecordBounds(.person("a") && .person("b")).kinds, [])
        XCTAssertEqual(RecordBounds(.or([])).kinds, [])
        let (one, two) = (RecordID(high: 1, low: 1), RecordID(high: 2, low: 1))
        XCTAssertEqual(RecordBounds(.ids([one]) && .ids([one, two]) && .all).ids, [one])
        XCTAssertEqual(RecordBounds(.ids([one]) || .ids([two])).ids, [one, two])
        XCTAssertNil(RecordBounds(.ids([one]) || .all).ids)
        XCTAssertEqual(
            RecordBounds(.type(.heartRate) && .type(.stepCount)).types, Set<String>())
        XCTAssertEqual(RecordBounds(.workout(RecordID(high: 1, low: 1))).kinds, [])
    }
}
