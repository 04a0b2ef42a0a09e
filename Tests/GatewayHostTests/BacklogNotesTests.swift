import GatewayCore
import XCTest

@testable import GatewayHost

/// Tests of the notes about pending records that `check` prints.
final class BacklogNotesTests: XCTestCase {
    private let notes = BacklogNotes(pending: ["store": 0, "repo": 411])

    func testUnchangedSinks_haveNoNote() {
        XCTAssertEqual(notes.notes(for: [JournalSink("store"), JournalSink("repo")]), [])
        // A sink without a backlog may be removed.
        XCTAssertEqual(notes.notes(for: [JournalSink("repo")]), [])
    }

    func testRenamedSink_hasNoNote() {
        let sinks = [JournalSink("store"), JournalSink("new", previousName: "repo")]
        XCTAssertEqual(notes.notes(for: sinks), [])
    }

    func testNamesThatMove_haveNoNote() {
        let notes = BacklogNotes(pending: ["a": 5, "b": 7])
        let sinks = [JournalSink("b", previousName: "a"), JournalSink("c", previousName: "b")]
        XCTAssertEqual(notes.notes(for: sinks), [])
        // The existing sink `b` keeps its own cursor.
        let found = notes.notes(for: [JournalSink("b", previousName: "a")])
        XCTAssertEqual(found.count, 1)
        XCTAssertTrue(found[0].hasPrefix("5 records are pending for `a`"), "\(found)")
    }

    func testSinkThatIsRemoved_orRenamedWithoutPreviousName_isReportedWithItsBacklog() {
        for sinks in [[JournalSink("store")], [JournalSink("store"), JournalSink("new")]] {
            let found = notes.notes(for: sinks)
            XCTAssertEqual(found.count, 1)
            XCTAssertTrue(found[0].hasPrefix("411 records are pending for `repo`"), "\(found)")
            XCTAssertTrue(found[0].contains("previousName: \"repo\""), "\(found)")
        }
    }

    func testPreviousName_thatIsUnknown_isReported() {
        let sinks = [
            JournalSink("store"), JournalSink("repo"), JournalSink("new", previousName: "rpo"),
        ]
        let found = notes.notes(for: sinks)
        XCTAssertEqual(found.count, 1)
        XCTAssertTrue(found[0].hasPrefix("sinks.new.previousName: "), "\(found)")
        XCTAssertTrue(found[0].contains("did you mean `repo`?"), "\(found)")
    }

    func testPreviousName_ofAKnownSink_isAccepted() {
        let sinks = [JournalSink("store", previousName: "before"), JournalSink("repo")]
        XCTAssertEqual(notes.notes(for: sinks), [])
    }

    func testNewJournal_hasNoNote() {
        let sinks = [JournalSink("store", previousName: "before")]
        XCTAssertEqual(BacklogNotes(pending: [:]).notes(for: sinks), [])
    }
}
