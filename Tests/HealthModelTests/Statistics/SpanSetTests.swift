import XCTest

@testable import HealthModel

final class SpanSetTests: XCTestCase {
    private func at(_ seconds: Int64) -> Instant {
        Instant(nanosecondsSince1970: seconds * 1_000_000_000)
    }

    private func spans(_ pairs: [(Int64, Int64)]) -> [Range<Instant>] {
        pairs.map { at($0.0)..<at($0.1) }
    }

    func testInit_joinsWhatOverlapsOrTouches() {
        let set = SpanSet(spans([(5, 7), (0, 2), (2, 3), (6, 9), (4, 4)]))
        XCTAssertEqual(set.spans, spans([(0, 3), (5, 9)]))
        XCTAssertEqual(set.seconds, 7)
    }

    func testParts_areWhatIsLeftOutside() {
        let set = SpanSet(spans([(10, 20), (30, 40)]))
        let cases: [((Int64, Int64), [(Int64, Int64)])] = [
            ((0, 5), [(0, 5)]), ((0, 15), [(0, 10)]), ((12, 18), []), ((15, 35), [(20, 30)]),
            ((0, 50), [(0, 10), (20, 30), (40, 50)]), ((20, 30), [(20, 30)]), ((40, 40), []),
        ]
        for (span, parts) in cases {
            XCTAssertEqual(
                set.parts(outsideOf: at(span.0)..<at(span.1)), spans(parts), "\(span)")
        }
    }

    func testContains_isHalfOpen() {
        let set = SpanSet(spans([(10, 20), (30, 40)]))
        let inside = (0..<50).filter { set.contains(at($0)) }
        XCTAssertEqual(inside, Array(10..<20) + Array(30..<40))
    }
}
