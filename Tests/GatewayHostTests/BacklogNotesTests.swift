import GatewayCore
import XCTest

@testable import GatewayHost

/// What `check` says of records that wait for sinks.
final class BacklogNotesTests: XCTestCase {
    private let notes = BacklogNotes(pending: ["store": 0, "repo": 411])

    func testSinksThatStay_needNoWord() {
        XCTAssertEqual(notes.notes(for: [JournalSink("store"), JournalSink("repo")]), [])
        // One without a backlog may go.
        XCTAssertEqual(notes.notes(for: [JournalSink("repo")]), [])
    }

    func testSinkThatIsRenamed_needsNoWord() {
        let sinks = [JournalSink("store"), JournalSink("new", previousName: "repo")]
        XCTAssertEqual(notes.notes(for: sinks), [])
    }

    func testNamesThatMoveOn_needNoWord() {
        let notes = BacklogNotes(pending: ["a": 5, "b": 7])
        let sinks = [JournalSink("b", previousName: "a"), JournalSink("c", previousName: "b")]
        XCTAssertEqual(notes.notes(for: sinks), [])
        // This one has an account of its own, and keeps it.
        let found = notes.notes(for: [JournalSink("b", previousName: "a")])
        XCTAssertEqual(found.count, 1)
        XCTAssertTrue(found[0].hasPrefix("5 records wait for `a`"), "\(found)")
    }

    func testSinkThatIsGone_orRenamedWithoutAWord_isSaidWithItsBacklog() {
        for sinks in [[JournalSink("store")], [JournalSink("store"), JournalSink("new")]] {
            let found = notes.notes(for: sinks)
            XCTAssertEqual(found.count, 1)
            XCTAssertTrue(found[0].hasPrefix("411 records wait for `repo`"), "\(found)")
            XCTAssertTrue(found[0].contains("previousName: \"repo\""), "\(found)")
        }
    }

    func testFormerName_thatNobodyHad_isSaid() {
        let sinks = [
            JournalSink("store"), JournalSink("repo"), JournalSink("new", previousName: "rpo"),
        ]
        let found = notes.notes(for: sinks)
        XCTAssertEqual(found.count, 1)
        XCTAssertTrue(found[0].hasPrefix("sinks.new.previousName: "), "\(found)")
        XCTAssertTrue(found[0].contains("did you mean `repo`?"), "\(found)")
    }

    func testFormerName_ofASinkThatIsKnownByNow_mayStay() {
        let sinks = [JournalSink("store", previousName: "before"), JournalSink("repo")]
        XCTAssertEqual(notes.notes(for: sinks), [])
    }

    func testNewJournal_needsNoWord() {
        let sinks = [JournalSink("store", previousName: "before")]
        XCTAssertEqual(BacklogNotes(pending: [:]).notes(for: sinks), [])
    }
}
