import GatewayCore
import GatewayTesting
import HealthModel
import Platform
import Readings
import XCTest

/// The suite finds adapters that violate the contract, and only those.
final class AdapterConformanceTests: XCTestCase {
    private func findings(
        for stream: [UInt8] = [1, 2, 3],
        _ actions: @escaping @Sendable (AdapterEvent) -> [AdapterAction]
    ) -> String {
        AdapterConformance.findings(for: stream) { ScriptedAdapter(actions: actions) }.text
    }

    private func onBytes(
        _ reading: Reading
    ) -> @Sendable (AdapterEvent) -> [AdapterAction] {
        { event in if case .received = event.kind { [.reading(reading)] } else { [] } }
    }

    func testGoodAdapters_haveNoFinding() {
        XCTAssertEqual(AdapterConformance.findings(for: [1, 2, 3, 4]) { ByteTotal() }.text, "")
        let pairs = { PairAdapter(keepsHalves: true, forgetsWhenClosed: true) }
        XCTAssertEqual(AdapterConformance.findings(for: [1, 2, 3, 4], makeAdapter: pairs).text, "")
    }

    func testHalfMessages_thatAreLost_areFound() {
        let found = AdapterConformance.findingsWhenCut([1, 2, 3, 4]) {
            PairAdapter(keepsHalves: false, forgetsWhenClosed: true)
        }.text
        XCTAssertTrue(found.contains("when the stream is cut at 1\n"), found)
        XCTAssertFalse(found.contains("cut at 2"), found)
        XCTAssertTrue(found.contains("byte by byte"), found)
    }

    func testTotalsThatAppearWhenTheStreamIsCut_areFoundAfterConversion() {
        let found = AdapterConformance.findingsWhenCut([0, 100, 0, 105]) { ZeroOfHalves() }.text
        XCTAssertTrue(
            found.contains("the samples of stepCount differ when the stream is cut at 1\n"), found)
        XCTAssertFalse(found.contains("cut at 2"), found)
        XCTAssertTrue(
            found.contains("the samples of stepCount differ when the stream arrives byte by byte"),
            found)
        XCTAssertFalse(found.contains("readings"), found)
    }

    func testHalfMessages_thatOutliveTheLink_areFound() {
        let found = AdapterConformance.findingsForRandomBytes(
            seed: 7, count: 1_001, check: [1, 2, 3, 4]
        ) { PairAdapter(keepsHalves: true, forgetsWhenClosed: false) }.text
        XCTAssertEqual(found, "seed 7: after reopening, the adapter does not decode its device")
    }

    func testFloodOfActions_isFound() {
        let found = findings { _ in
            [AdapterAction](repeating: .dropped(.unknown), count: 300)
        }
        XCTAssertTrue(found.contains("actions for one event"), found)
    }

    func testFloodOfBytesToSend_isFound() {
        let found = findings { _ in [.send([UInt8](repeating: 0, count: 5_000), on: .stream)] }
        XCTAssertTrue(found.contains("sends more than 4096 bytes"), found)
    }

    func testTimerForThePresent_isFound() {
        let found = findings { $0.kind == .opened ? [.wake(at: $0.receipt)] : [] }
        XCTAssertTrue(found.contains("requests a timer in less than 10 ms"), found)
    }

    func testTimersWithoutAPause_areFound() {
        let found = findings {
            $0.kind == .closed ? [] : [.wake(at: $0.receipt.adding(nanoseconds: 10_000_000))]
        }
        XCTAssertFalse(found.contains("less than 10 ms"), found)
        XCTAssertTrue(found.contains("requests more than 20 timers per second"), found)
    }

    func testTimerThatChangesTheReadings_isFound() {
        let found = AdapterConformance.findingsForLifeCycle([1, 2]) { TimerCounter() }.text
        XCTAssertTrue(found.contains("timer events that were not requested"), found)
    }

    func testChance_isFound() {
        let found = findings { event in
            let value = Double.random(in: 1...1_000_000)
            guard case .received = event.kind else { return [] }
            return [.reading(.counter(CounterReading(.stepCount, value: value, unit: .count)))]
        }
        XCTAssertTrue(found.contains("the same events give different actions"), found)
    }

    func testSharedState_isFound() {
        let found = AdapterConformance.findingsForLifeCycle([1, 2, 3, 4]) { SharedTotal() }.text
        XCTAssertEqual(found, "a copy of the adapter shares its state; keep the state in values")
    }

    func testStateThatOpeningDoesNotReset_isFound() {
        let found = AdapterConformance.findingsForLifeCycle([1, 2]) { StubbornTotal() }.text
        XCTAssertTrue(found.contains("the link was opened again, the readings differ"), found)
    }

    func testHoard_isFound() {
        let found = AdapterConformance.findingsForMemory([1, 2, 3, 4]) { Hoarder(limit: .max) }.text
        for input in ["the stream again", "unfinished", "random bytes", "without an end"] {
            XCTAssertTrue(found.contains(input), found)
        }
        XCTAssertEqual(
            AdapterConformance.findingsForMemory([1, 2, 3, 4]) { Hoarder(limit: 4_096) }.text, "")
    }

    func testWrongUnitsAndValues_areFoundWithoutTheValue() throws {
        let cases: [(Reading, String)] = [
            (.instant(.heartRate, try Quantity(98_765, .kilogram)), "is not a unit of heartRate"),
            (.instant(.heartRate, try Quantity(98_765, .countPerMinute)), "out of range"),
            (.instant(.stepCount, try Quantity(98_765, .count)), "report it as a counter"),
            (
                .counter(CounterReading(.stepCount, value: -98_765, unit: .count)),
                "negative or not"
            ),
            (.counter(CounterReading(.stepCount, value: .nan, unit: .count)), "not finite"),
            (.counter(CounterReading(.heartRate, value: 98_765, unit: .count)), "not cumulative"),
            (.beats(BeatsReading(ticks: [1], perSecond: 0)), "no ticks per second"),
            (.state(.battery(98_765)), "battery"),
        ]
        for (reading, expected) in cases {
            let found = findings(onBytes(reading))
            XCTAssertTrue(found.contains(expected), "\(expected): \(found)")
            XCTAssertFalse(found.contains("98765"), found)
        }
    }

    func testTypeThatNobodyDeclares_isFound() throws {
        let type = try QuantityType(
            custom: "skinTemperature", aggregationStyle: .discreteArithmetic, unit: .degreeCelsius)
        let reading = Reading.instant(type, try Quantity(30, .degreeCelsius))
        let found = findings(onBytes(reading))
        XCTAssertTrue(found.contains("skinTemperature is not a type of the gateway"), found)
        let actions = onBytes(reading)
        XCTAssertEqual(
            AdapterConformance.findings(for: [1], types: try QuantityTypes(custom: [type])) {
                ScriptedAdapter(actions: actions)
            }.text, "")
    }

    func testCounterBeyondItsRange_isFound() {
        for (range, expected) in [
            (CounterReading.Range.rollsOver(at: 256), "beyond the value at which it rolls over"),
            (.saturates(at: 255), "beyond the value at which it saturates"),
        ] {
            let found = findings(
                onBytes(
                    .counter(
                        CounterReading(.stepCount, value: 256, range: range, unit: .count))))
            XCTAssertTrue(found.contains(expected), found)
        }
    }

    func testCounterThatChangesItsUnit_isFound() {
        let found = findings { event in
            guard case .received(let bytes, _) = event.kind else { return [] }
            return bytes.map { byte in
                .reading(
                    .counter(
                        CounterReading(
                            .distanceWalkingRunning, value: 1, unit: byte > 1 ? .meter : .kilometer)
                    ))
            }
        }
        XCTAssertTrue(found.contains("changes its range, unit or scale"), found)
    }

    func testRollOver_isComparedAfterConversion() throws {
        func findings(_ range: CounterReading.Range) throws -> String {
            AdapterConformance.findingsForRollOver(
                [[250], [254], [3]], of: .stepCount, adding: try Quantity(9, .count)
            ) { LastByte(range: range) }.text
        }
        XCTAssertEqual(try findings(.rollsOver(at: 256)), "")
        XCTAssertEqual(
            try findings(.unbounded),
            "the samples of stepCount do not add up to what the device has counted")
    }
}
