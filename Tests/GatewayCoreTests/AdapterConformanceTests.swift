import GatewayTesting
import XCTest

@testable import GatewayCore
@testable import HealthModel

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
}
