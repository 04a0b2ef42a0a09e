import GatewayTesting
import XCTest

@testable import GatewayCore
@testable import GatewayJournal
@testable import JournalLog

/// A test case with a log of several segments, and what a run after some damage must find.
class LogDamageTestCase: LogTestCase {
    static let batches = 40

    /// Makes a log of several segments, all of it pending for `store`, and the last cursor saved.
    func makeLog(sizes: LogSizes = LogTestCase.smallSizes) throws {
        let file = try makeFile(sizes: sizes)
        try file.register([JournalSink("store")])
        for batch in 0..<Self.batches {
            let lines = (0..<5).map {
                "batch \(batch) line \($0) " + String(repeating: "x", count: 80)
            }
            try file.append(lines.joined(separator: "\n") + "\n")
        }
        try file.deliver("store", to: 3)
        file.close()
    }

    /// The lines that a log of the same content delivers, without damage.
    static let allLines: [String] = (0..<batches).flatMap { batch in
        (0..<5).map { "batch \(batch) line \($0) " + String(repeating: "x", count: 80) }
    }

    /// What a run after the damage found.
    struct Outcome {
        var lines: Set<Substring>
        var lost: Int64
        var damage: JournalDamage?
        var published: Int64
    }

    /// Opens the log, delivers everything, appends, opens it again; the ledger always balances.
    func run(_ what: String, sizes: LogSizes = LogTestCase.smallSizes) throws -> Outcome {
        let known = Set(Self.allLines.map { Substring($0) })
        let file = try makeFile(sizes: sizes)
        let damage = file.damageAtOpening
        try file.register([JournalSink("store")])
        XCTAssertEqual(try file.ledger().imbalances, [], what)
        let published = try file.ledger().ingest.published
        let (lines, lost) = try file.drain("store")
        XCTAssertEqual(Set(lines).count, lines.count, "\(what): doubled")
        XCTAssertTrue(known.isSuperset(of: lines), "\(what): changed")
        try file.append("new\n")
        XCTAssertEqual(try file.ledger().imbalances, [], what)
        let again = try makeFile(sizes: sizes)
        XCTAssertNil(again.damageAtOpening, what)
        XCTAssertEqual(try again.drain("store").lines, ["new"], what)
        XCTAssertEqual(try again.ledger().imbalances, [], what)
        return Outcome(
            lines: Set(lines), lost: lost, damage: damage, published: published)
    }

    /// Whatever is not delivered is counted as lost, or reported as an unknown number.
    func check(_ outcome: Outcome, _ what: String) {
        let missing = Int64(Self.allLines.count) - 3 - Int64(outcome.lines.count)
        if let known = outcome.damage?.missing { XCTAssertEqual(known, outcome.lost, what) }
        guard missing != outcome.lost else { return }
        XCTAssertNil(outcome.damage.map { $0.missing ?? -1 }.flatMap { $0 < 0 ? nil : $0 }, what)
        XCTAssertNotNil(outcome.damage, "\(what): \(missing) missing, \(outcome.lost) lost")
    }
}
