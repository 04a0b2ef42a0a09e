import Foundation
import GatewayTesting
import Glibc
import Platform
import XCTest

@testable import HealthModel
@testable import Readings

/// The conformance suites detect adapters that violate the contract, and only those.
final class AdapterConformanceTests: XCTestCase {
    /// Reads two-byte numbers; may lose a half one, or keep it across a reset.
    private struct Pairs: DeviceAdapter {
        let keepsHalves: Bool
        let forgetsWhenClosed: Bool
        private var half: UInt8?

        init(keepsHalves: Bool, forgetsWhenClosed: Bool) {
            self.keepsHalves = keepsHalves
            self.forgetsWhenClosed = forgetsWhenClosed
        }

        mutating func handle(_ event: AdapterEvent) -> [AdapterAction] {
            guard case .received(let bytes, _) = event.kind else {
                if forgetsWhenClosed { half = nil }
                return []
            }
            var rest = (half.map { [$0] } ?? []) + bytes
            var actions: [AdapterAction] = []
            while rest.count >= 2 {
                let value = Double(rest[0]) * 256 + Double(rest[1])
                actions.append(
                    .reading(.counter(CounterReading(.stepCount, value: value, unit: .count))))
                rest.removeFirst(2)
            }
            half = keepsHalves ? rest.first : nil
            return actions
        }
    }

    private func findings(keepsHalves: Bool, forgetsWhenClosed: Bool) -> Int {
        let makeAdapter = {
            Pairs(keepsHalves: keepsHalves, forgetsWhenClosed: forgetsWhenClosed)
        }
        let stream: [UInt8] = [1, 2, 3, 4]
        return AdapterConformance.findingsWhenCut(stream, makeAdapter: makeAdapter).count
            + AdapterConformance.findingsForRandomBytes(
                seed: 1, count: 1_001, check: stream, makeAdapter: makeAdapter
            ).count
    }

    func testFindings_noneForAGoodAdapter() {
        XCTAssertEqual(findings(keepsHalves: true, forgetsWhenClosed: true), 0)
    }

    func testFindings_whenPiecesAreForgotten() {
        XCTAssertEqual(findings(keepsHalves: false, forgetsWhenClosed: true), 2)
    }

    func testFindings_whenNothingIsForgottenAtTheEnd() {
        XCTAssertEqual(findings(keepsHalves: true, forgetsWhenClosed: false), 1)
    }

    /// Counts bytes, and reports the total once for each event.
    private struct Total: DeviceAdapter {
        var value = 0.0

        mutating func handle(_ event: AdapterEvent) -> [AdapterAction] {
            switch event.kind {
            case .opened, .closed: value = 0
            case .received(let bytes, _): value += Double(bytes.count)
            case .timer: return []
            }
            return [.reading(.counter(CounterReading(.stepCount, value: value, unit: .count)))]
        }
    }

    /// Does what a closure says.
    private struct Scripted: DeviceAdapter {
        let actions: @Sendable (AdapterEvent) -> [AdapterAction]

        func handle(_ event: AdapterEvent) -> [AdapterAction] { actions(event) }
    }

    private func findings(
        _ actions: @escaping @Sendable (AdapterEvent) -> [AdapterAction]
    ) -> String {
        AdapterConformance.findings(for: [1, 2, 3]) { Scripted(actions: actions) }
            .map(\.description).joined(separator: "\n")
    }

    func testRunningTotal_reportedOncePerEvent_keepsTheContract() {
        let findings = AdapterConformance.findings(for: [1, 2, 3, 4]) { Total() }
        XCTAssertEqual(findings.map(\.description), [])
    }

    func testFloodOfActions_isFound() {
        let found = findings { _ in
            [AdapterAction](repeating: .dropped(.unknown), count: 10_000)
        }
        XCTAssertTrue(found.contains("actions for one event"), found)
    }

    func testTimerWithoutEnd_isFound() {
        let found = findings { $0.kind == .closed ? [] : [.wake(at: $0.receipt)] }
        XCTAssertTrue(found.contains("requests another one at once"), found)
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
            let found = findings { event in
                if case .received = event.kind { [.reading(reading)] } else { [] }
            }
            XCTAssertTrue(found.contains(expected), "\(expected): \(found)")
            XCTAssertFalse(found.contains("98765"), found)
        }
    }

    func testInput_isWrittenBeforeTheAdapterHandlesIt() {
        let path = "/tmp/pulsegate-conformance-\(getpid()).txt"
        let found = findings { event in
            guard case .received = event.kind else { return [] }
            let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
            return text.contains("received on stream: ") ? [] : [.reading(.state(.battery(9)))]
        }
        XCTAssertEqual(found, "")
        XCTAssertFalse(FileManager.default.fileExists(atPath: path))
    }
}
