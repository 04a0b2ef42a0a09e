import GatewayTesting
import HealthModel
import XCTest

@testable import GatewayCore
@testable import GatewayJournal
@testable import Readings

/// The account of records that a sink has stored but not verified.
final class UnverifiedRecordsTests: XCTestCase {
    private func advanced(_ sink: Ledger.Sink, by count: Int64) -> Ledger.Sink {
        var sink = sink
        sink.cursor += count
        sink.outcome.delivered += count - 1
        sink.outcome.filtered += 1
        return sink
    }

    private func balances(_ sink: Ledger.Sink, published: Int64) -> Bool {
        var ledger = Ledger(sinks: ["store": sink])
        (ledger.ingest.converted, ledger.ingest.published) = (published, published)
        return ledger.imbalances.isEmpty
    }

    func testRedelivery_restoresTheAccountAsItWas() {
        let verified = advanced(Ledger.Sink(start: 5, cursor: 5), by: 10)
        var sink = verified
        sink.keep()
        sink = advanced(sink, by: 20)
        sink.keep()
        sink = advanced(sink, by: 30)
        XCTAssertEqual(sink.keptCount, 48)
        XCTAssertTrue(balances(sink, published: 70))
        var expected = Redelivery()
        expected.records = 48
        XCTAssertEqual(sink.redeliver(missing: 0), expected)
        XCTAssertEqual(sink, verified)
        XCTAssertEqual(sink.redeliver(missing: 0), Redelivery(), "nothing is left")
    }

    func testRelease_isLostOnlyWithTheStore() {
        var sink = Ledger.Sink(start: 0, cursor: 0)
        sink.keep()
        let middle = advanced(sink, by: 20)
        sink = advanced(middle, by: 30)
        sink.release(upTo: middle)
        XCTAssertEqual(sink.unverified?.released, 19)
        XCTAssertEqual(sink.keptCount, 29)
        XCTAssertTrue(balances(sink, published: 50))

        var same = sink
        XCTAssertEqual(same.redeliver(missing: 0).lost, 0)
        XCTAssertEqual(same.cursor, 20)
        XCTAssertEqual(same.outcome.delivered, 19)
        XCTAssertEqual(same.unverified?.released, 19, "they may still be lost")
        XCTAssertTrue(balances(same, published: 50))

        for var new in [sink, same] {
            XCTAssertEqual(new.redeliver(missing: .max).lost, 19)
            XCTAssertEqual(new.outcome.delivered, 0)
            XCTAssertEqual(new.outcome.lost, 19)
            XCTAssertNil(new.unverified)
            XCTAssertTrue(balances(new, published: 50))
        }
    }

    /// The newest records are missing in an earlier state: those that are kept, then the released ones.
    func testEarlierState_lacksTheNewestRecords() {
        var sink = advanced(Ledger.Sink(start: 0, cursor: 0), by: 101)
        sink.keep()
        let middle = advanced(sink, by: 21)
        sink = advanced(middle, by: 31)
        sink.release(upTo: middle)
        // 100 are verified, 20 released, and 30 kept.
        let cases: [(missing: Int64, lost: Int64, verified: Int64)] = [
            (-1, 0, 0), (0, 0, 0), (30, 0, 0), (31, 1, 0), (50, 20, 0), (51, 20, 1),
            (150, 20, 100), (151, 20, 100), (.max, 20, 100),
        ]
        for (missing, lost, verified) in cases {
            var state = sink
            let redelivery = state.redeliver(missing: missing)
            XCTAssertEqual(redelivery.records, 30, "\(missing)")
            XCTAssertEqual(redelivery.lost, lost, "\(missing)")
            XCTAssertEqual(redelivery.verified, verified, "\(missing)")
            XCTAssertEqual(state.outcome.delivered, 120 - lost, "\(missing)")
            XCTAssertEqual(state.outcome.lost, lost, "\(missing)")
            XCTAssertEqual(state.unverified?.released ?? 0, 20 - lost, "\(missing)")
            XCTAssertTrue(balances(state, published: 153), "\(missing)")
        }
    }

    func testNewStore_tellsWhatOnlyTheEarlierOneHas() {
        var sink = advanced(Ledger.Sink(start: 0, cursor: 0), by: 10)
        XCTAssertEqual(sink.redeliver(missing: .max).verified, 9)
        XCTAssertEqual(sink.outcome.delivered, 9, "they were delivered")
        XCTAssertEqual(sink.outcome.lost, 0)
    }

    func testLedger_withAnAccountThatDoesNotContainTheUnverified_doesNotBalance() {
        var sink = advanced(Ledger.Sink(start: 0, cursor: 0), by: 10)
        var outcome = Ledger.Outcome()
        outcome.delivered = 4
        let wrong = [
            Ledger.Unverified(cursor: 11, outcome: outcome),
            Ledger.Unverified(cursor: 5, outcome: outcome),
            Ledger.Unverified(cursor: 4, outcome: outcome, released: 5),
            Ledger.Unverified(cursor: 4, outcome: outcome, released: -1),
        ]
        for unverified in wrong {
            sink.unverified = unverified
            XCTAssertFalse(balances(sink, published: 10), "\(unverified)")
        }
        sink.unverified = Ledger.Unverified(cursor: 4, outcome: outcome, released: 4)
        XCTAssertTrue(balances(sink, published: 10))
    }

    func testRemovableCursor_isBeforeWhatIsKept() {
        var (kept, other) = (Ledger.Sink(start: 0, cursor: 3), Ledger.Sink(start: 0, cursor: 7))
        kept.outcome.delivered = 3
        kept.keep()
        kept.cursor = 9
        other.cursor = 8
        let ledger = Ledger(sinks: ["kept": kept, "other": other])
        XCTAssertEqual(ledger.minimumCursor, 8)
        XCTAssertEqual(ledger.removableCursor, 3)
    }

    // MARK: The limits

    private func mark(_ position: Int64) -> UnverifiedExtent.Mark {
        UnverifiedExtent.Mark(
            place: JournalPlace(
                first: position, position: position, time: Instant(nanosecondsSince1970: position)),
            account: Ledger.Sink(start: 0, cursor: position))
    }

    func testExtent_keepsBetweenHalfTheLimitAndTheLimit() {
        var extent = UnverifiedExtent(at: mark(0).place)
        let limit = UnverifiedExtent.Limit(bytes: 100) { _ in false }
        var start: Int64 = 0
        for position in stride(from: Int64(10), through: 1_000, by: 10) {
            if let released = extent.note(mark(position), within: limit) {
                start = released.account.cursor
            }
            XCTAssertLessThanOrEqual(position - start, 100)
            XCTAssertGreaterThanOrEqual(position - start, min(40, position))
        }
        XCTAssertGreaterThan(start, 0)
    }

    func testExtent_ofOneLargeBatch_isReleasedWithIt() {
        var extent = UnverifiedExtent(at: mark(0).place)
        let limit = UnverifiedExtent.Limit(bytes: 100) { _ in false }
        XCTAssertEqual(extent.note(mark(500), within: limit)?.account.cursor, 500)
        XCTAssertNil(extent.note(mark(550), within: limit))
    }

    func testExtent_thatIsTooOld_isReleased() {
        var extent = UnverifiedExtent(at: mark(0).place)
        let limit = UnverifiedExtent.Limit(bytes: .max) {
            $0.time < Instant(nanosecondsSince1970: 30)
        }
        XCTAssertEqual(extent.note(mark(40), within: limit)?.account.cursor, 40)
        XCTAssertNil(extent.note(mark(50), within: limit))
    }
}
