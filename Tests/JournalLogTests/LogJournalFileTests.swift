import Foundation
import GatewayTesting
import HealthModel
import Platform
import Readings
import XCTest

@testable import GatewayCore
@testable import GatewayJournal
@testable import JournalLog

final class LogJournalFileTests: LogTestCase {
    private func read(
        _ file: LogJournalFile, after cursor: Int64, count: Int
    ) throws -> JournalSlice? {
        try file.read(after: cursor, limit: JournalReadLimit(count: count))
    }

    private func slice(_ start: Int64, _ text: String) -> JournalSlice {
        let lines = RecordLines(Array(text.utf8))
        return JournalSlice(start: start, end: start + Int64(lines.count), lines: lines)
    }

    func testLedger_ofANewLogIsEmpty() throws {
        let file = try makeFile()
        XCTAssertEqual(try file.ledger(), Ledger())
        XCTAssertNil(file.damageAtOpening)
        XCTAssertEqual(try file.end().first, 0)
        XCTAssertNil(try read(file, after: 0, count: 1))
    }

    func testFiles_areOnlyForThisUser() throws {
        let file = try makeFile()
        try file.append("a\n")
        let permissions = try XCTUnwrap(temporary.folder).permissions()
        XCTAssertEqual(permissions["journal"], 0o700)
        for name in try names() { XCTAssertEqual(permissions["journal/\(name)"], 0o600, name) }
    }

    /// A frame that begins a segment is newer than the ledger in the first frame of that.
    func testCrash_afterTheFirstFrameOfASegment_losesNoCounts() throws {
        let text = String(repeating: String(repeating: "x", count: 99) + "\n", count: 100)
        let file = try makeFile()
        try file.register([JournalSink("store")])
        for _ in 0..<3 {
            try file.append(text)
            XCTAssertEqual(try makeCopy().ledger(), try file.ledger())
            try file.deliver("store", to: file.end().first)
            XCTAssertEqual(try makeCopy().ledger(), try file.ledger())
        }
    }

    /// The log as the next run finds it when this one is killed now.
    private func makeCopy() throws -> LogJournalFile {
        let copy = try TemporaryFolder()
        try FileManager.default.copyItem(atPath: path, toPath: copy.path("journal"))
        return try LogJournalFile(
            path: copy.path("journal"), durability: .crash, clock: clock, sizes: Self.smallSizes)
    }

    func testRead_wholeBatchesInOrderUpToTheLimit() throws {
        let file = try makeFile()
        for text in ["a\n", "b\n", "c\n", "d\n"] { try file.append(text) }
        XCTAssertEqual(try read(file, after: 0, count: 3), slice(0, "a\nb\nc\n"))
        XCTAssertEqual(try read(file, after: 3, count: 3), slice(3, "d\n"))
        XCTAssertNil(try read(file, after: 4, count: 3))
    }

    func testRead_fromTheMiddleOfABatch() throws {
        let file = try makeFile()
        try file.append("a\nb\nc\n")
        try file.append("d\n")
        XCTAssertEqual(try read(file, after: 1, count: 2), slice(1, "b\nc\n"))
        XCTAssertEqual(try read(file, after: 2, count: 2)?.end, 4)
    }

    func testRead_upToABoundOfBytes() throws {
        let file = try makeFile()
        for _ in 0..<5 { try file.append("aaaa\n") }
        let slice = try file.read(after: 0, limit: JournalReadLimit(count: .max, bytes: 12))
        XCTAssertEqual(slice?.end, 2)
    }

    func testReopen_everythingIsThere() throws {
        for durability in [Durability.crash, .powerLoss] {
            setUp()
            do {
                let file = try makeFile(durability)
                try file.register([JournalSink("store"), JournalSink("lines")])
                try file.append("a\nb\n", at: 5)
                try file.deliver("store", to: 2)
            }
            let file = try makeFile()
            let ledger = try file.ledger()
            XCTAssertNil(file.damageAtOpening)
            XCTAssertEqual(ledger.ingest, .published(2))
            XCTAssertEqual(ledger.sinks["store"]?.outcome.delivered, 2)
            XCTAssertEqual(ledger.pending(for: "lines"), 2)
            XCTAssertEqual(ledger.imbalances, [])
            XCTAssertEqual(try read(file, after: 0, count: 10), slice(0, "a\nb\n"))
            XCTAssertEqual(
                try file.end(),
                JournalPlace(
                    first: 2, position: 4, time: Instant(nanosecondsSince1970: 5_000_000_000)))
        }
    }

    /// Many starts: batches of all of them are read in order, across segments.
    func testReopen_againAndAgain_theNumbersContinue() throws {
        for run in 0..<20 {
            let file = try makeFile()
            if run == 0 { try file.register([JournalSink("store")]) }
            try file.append("run \(run)\n")
        }
        let (lines, lost) = try makeFile().drain("store")
        XCTAssertEqual(lines, (0..<20).map { "run \($0)" })
        XCTAssertEqual(lost, 0)
        XCTAssertEqual(try segmentNames().count, 1)
    }

    /// A gateway that starts again and again while a sink is away does not fill the disk.
    func testReopen_whileRecordsWait_frees_whatEarlierRunsDidNotUse() throws {
        for run in 0..<20 {
            let file = try makeFile()
            if run == 0 { try file.register([JournalSink("store")]) }
            try file.append("run \(run)\n")
            if run % 2 == 0 { file.close() }
        }
        let names = try segmentNames()
        XCTAssertGreaterThan(names.count, 15)
        for name in names.dropLast(2) { XCTAssertLessThan(try contents(of: name).count, 1_000) }
        let file = try makeFile()
        XCTAssertNil(file.damageAtOpening)
        XCTAssertEqual(
            file.size,
            try self.names().reduce(0) {
                $0
                    + ($1.hasSuffix(".segment") || $1 == "reserve"
                        ? Int64(try contents(of: $1).count) : 0)
            })
        XCTAssertEqual(try file.drain("store").lines, (0..<20).map { "run \($0)" })
    }

    private func text(_ count: Int) -> String {
        String(repeating: String(repeating: "x", count: 99) + "\n", count: count)
    }

    func testAdvance_removesTheSegmentsThatAllSinksHavePassed() throws {
        let file = try makeFile()
        try file.register([JournalSink("store"), JournalSink("lines")])
        for _ in 0..<20 { try file.append(text(20)) }
        let all = try segmentNames().count
        XCTAssertGreaterThan(all, 5)
        try file.deliver("store", to: 400)
        XCTAssertEqual(try segmentNames().count, all)
        try file.deliver("lines", to: 200)
        XCTAssertLessThan(try segmentNames().count, all)
        XCTAssertEqual(try read(file, after: 200, count: .max)?.end, 400)
        try file.deliver("lines", to: 400)
        // The newest, and the one that is on the disk in any case.
        XCTAssertLessThanOrEqual(try segmentNames().count, 2)
        try file.append("c\n")
        XCTAssertEqual(try read(file, after: 400, count: 1), slice(400, "c\n"))
    }

    func testBatch_thatIsLargerThanASegment_getsALargerOne() throws {
        let file = try makeFile()
        try file.register([JournalSink("store")])
        try file.append("a\n")
        try file.append(text(2_000))
        try file.append("b\n")
        XCTAssertEqual(try file.drain("store").lines.count, 2_002)
    }

    func testRegister_aNewSinkStartsNow_andOneThatIsGoneHoldsNothingBack() throws {
        let file = try makeFile()
        try file.register([JournalSink("old")])
        for _ in 0..<20 { try file.append(text(20)) }
        try file.register([JournalSink("new")])
        XCTAssertEqual(try file.ledger().sinks, ["new": Ledger.Sink(start: 400, cursor: 400)])
        XCTAssertEqual(try file.ledger().imbalances, [])
        XCTAssertLessThanOrEqual(try segmentNames().count, 2)
    }

    func testRegister_aRenamedSinkContinuesAtItsCursor() throws {
        let file = try makeFile()
        try file.register([JournalSink("old")])
        try file.append("a\nb\n")
        try file.deliver("old", to: 1)
        try file.register([
            JournalSink("new", previousName: "old"), JournalSink("all", startPosition: .start),
        ])
        let ledger = try makeFile().ledger()
        XCTAssertEqual(ledger.sinks["new"]?.cursor, 1)
        XCTAssertEqual(ledger.sinks["new"]?.previousName, "old")
        XCTAssertNil(ledger.sinks["old"])
        XCTAssertEqual(ledger.sinks["all"], Ledger.Sink(start: 0, cursor: 0))
        XCTAssertEqual(ledger.imbalances, [])
    }

    func testRegister_swappedNames_swapOnce_alsoInTheNextRun() throws {
        let swapped = [
            JournalSink("a", previousName: "b"), JournalSink("b", previousName: "a"),
        ]
        do {
            let file = try makeFile()
            try file.register([JournalSink("a"), JournalSink("b")])
            try file.append("a\nb\n")
            try file.deliver("a", to: 2)
            try file.register(swapped)
        }
        let file = try makeFile()
        try file.register(swapped)
        XCTAssertEqual(try file.ledger().sinks.mapValues(\.cursor), ["a": 0, "b": 2])
    }

    func testPlace_theFirstWithinABound() throws {
        for perSegment in [1, 100] {
            setUp()
            let size = perSegment == 1 ? 34 << 10 : 400 << 10
            let file = try makeFile(sizes: LogSizes(segment: size, reserve: 0))
            try file.register([JournalSink("store")])
            let line = String(repeating: "a", count: 599) + "\n" + "b\n"
            let places = try (1...40).map { try file.append(line, at: $0) }
            XCTAssertEqual(try file.place(after: 3, within: JournalBound()), places[1])
            XCTAssertNil(try file.place(after: 80, within: JournalBound()))
            var bound = JournalBound()
            bound.position = places[20].position - 1
            XCTAssertEqual(try file.place(after: 0, within: bound), places[20])
            bound.time = places[30].time
            XCTAssertEqual(try file.place(after: 0, within: bound), places[30])
            bound.unknownBefore = places[30].time
            XCTAssertEqual(try file.place(after: 0, within: bound), places[20])
            // The same after a start, when no segment was read yet.
            let again = try makeFile(sizes: LogSizes(segment: size, reserve: 0))
            XCTAssertEqual(try again.place(after: 3, within: JournalBound()), places[1])
            XCTAssertEqual(try again.place(after: 0, within: bound), places[20])
            bound.unknownBefore = Instant(nanosecondsSince1970: .min)
            XCTAssertEqual(try again.place(after: 0, within: bound), places[30])
        }
    }

    /// The place of a batch is the same whether it is searched by marks or one by one.
    func testPlace_manyBatches_agreesWithAList() throws {
        let file = try makeFile(sizes: LogSizes(segment: 1 << 20, reserve: 0))
        try file.register([JournalSink("store")])
        let places = try (0..<2_000).map { try file.append(text(10), at: Int64($0)) }
        for index in stride(from: 0, to: 2_000, by: 97) {
            var bound = JournalBound()
            bound.position = places[index].position
            XCTAssertEqual(try file.place(after: 0, within: bound), places[index])
            bound = JournalBound()
            bound.time = places[index].time
            XCTAssertEqual(try file.place(after: 5, within: bound), places[index])
            XCTAssertEqual(
                try file.place(after: places[index].first, within: JournalBound()), places[index])
        }
    }

    func testAppend_onlyCounts_makesNoBatch() throws {
        let file = try makeFile()
        try file.append("")
        XCTAssertNil(try read(file, after: 0, count: 1))
        XCTAssertEqual(try makeFile().ledger().ingest[.implausible], 1)
    }

    func testAppend_savesCursorsInTheSameWrite() throws {
        do {
            let file = try makeFile()
            try file.register([JournalSink("store")])
            try file.append("a\n")
            var account = try XCTUnwrap(try file.ledger().sinks["store"])
            (account.cursor, account.outcome.delivered) = (1, 1)
            try file.append(
                RecordLines(Array("b\n".utf8)), addition: .published(1), at: file.end(),
                saving: ["store": account])
        }
        XCTAssertEqual(try makeFile().drain("store").lines, ["b"])
    }

    /// The ledger at the start of the new segment is the one before the batch.
    func testAppend_savesCursorsInTheSameWrite_alsoAtTheStartOfASegment() throws {
        do {
            let file = try makeFile()
            try file.register([JournalSink("store")])
            try file.append(text(80))
            var account = try XCTUnwrap(try file.ledger().sinks["store"])
            (account.cursor, account.outcome.delivered) = (80, 80)
            try file.append(
                RecordLines(Array(text(50).utf8)), addition: .published(50), at: file.end(),
                saving: ["store": account])
        }
        let file = try makeFile()
        XCTAssertNil(file.damageAtOpening)
        let (lines, lost) = try file.drain("store")
        XCTAssertEqual(lines.count, 50)
        XCTAssertEqual(lost, 0)
    }

    func testOpen_refusesWhatIsNoFolder_unchanged() throws {
        let folder = try XCTUnwrap(temporary.folder)
        try folder.write(Array("theirs".utf8), to: "journal")
        XCTAssertThrowsError(try makeFile()) { error in
            XCTAssertEqual((error as? LogError)?.problem, .isNotAFolder)
        }
        XCTAssertEqual(mkfifo(folder.path("pipe"), 0o600), 0)
        XCTAssertThrowsError(
            try LogJournalFile(path: folder.path("pipe"), durability: .crash, clock: clock))
    }

    /// What is no file is left alone, and its number is not used.
    func testOpen_leavesAlone_whatIsNoFile() throws {
        do {
            let file = try makeFile()
            try file.register([JournalSink("store")])
            try file.append("a\n")
        }
        XCTAssertEqual(mkfifo("\(path)/000000000009.segment", 0o600), 0)
        XCTAssertEqual(mkdir("\(path)/000000000011.segment", 0o700), 0)
        XCTAssertEqual(symlink("/etc/passwd", "\(path)/000000000010.segment"), 0)
        let file = try makeFile()
        XCTAssertNil(file.damageAtOpening)
        try file.append("b\n")
        XCTAssertEqual(try file.drain("store").lines, ["a", "b"])
        let found = try names()
        XCTAssertTrue(found.contains("000000000012.segment"), "\(found)")
    }

    func testOpen_withANumberBeyondAll_usesTheNextOnes() throws {
        do {
            let file = try makeFile()
            try file.register([JournalSink("store")])
            try file.append("a\n")
        }
        let name = try XCTUnwrap(segmentNames().last)
        XCTAssertEqual(rename("\(path)/\(name)", "\(path)/18446744073709551615.segment"), 0)
        let file = try makeFile()
        try file.register([JournalSink("store")])
        try file.append("b\n")
        XCTAssertEqual(try file.drain("store").lines, ["b"])
    }

    func testOpen_refusesANewerVersion_unchanged() throws {
        _ = try makeFile()
        let name = try XCTUnwrap(segmentNames().first)
        var header = FrameHeader(
            .segment, journal: 1, number: 1,
            place: JournalPlace(first: 0, position: 0, time: Instant(nanosecondsSince1970: 0)))
        header.payloadLength = 0
        var bytes: [UInt8] = []
        try FrameCoding.append(
            .segment(SegmentHead(version: 2, segment: 1, size: 40 << 10), Ledger()), header,
            to: &bytes, path: "")
        try write(bytes, to: name)
        XCTAssertThrowsError(try makeFile()) { error in
            XCTAssertEqual((error as? LogError)?.problem, .newerVersion(2))
        }
        XCTAssertNil(LogInspector.ledger(at: path))
        XCTAssertEqual(try contents(of: name), bytes)
    }

    func testInspector_readsTheLedger_andChangesNoFile() throws {
        XCTAssertNil(LogInspector.ledger(at: path))
        XCTAssertFalse(FileManager.default.fileExists(atPath: path))
        do {
            let file = try makeFile()
            try file.register([JournalSink("store")])
            try file.append("a\nb\n")
        }
        let before = try names()
        XCTAssertEqual(LogInspector.ledger(at: path)?.pending(for: "store"), 2)
        XCTAssertEqual(try names(), before)
    }

    /// The newest segment alone has the ledger, whatever was done before, and whether the run was killed.
    func testInspector_readsTheLedgerOfTheNewestSegment_atEveryMoment() throws {
        func check(_ what: String) throws {
            XCTAssertEqual(LogInspector.newestLedger(at: path), LogInspector.ledger(at: path), what)
            let newest = try NewestSegment(LogFolder(path: path, creating: false))
            XCTAssertEqual(try newest?.committedLedger(), LogInspector.ledger(at: path), what)
        }
        let text = String(repeating: "x", count: 99) + "\n"
        for run in 0..<6 {
            // The frames of a large one are longer than what is read first.
            let sizes = run < 3 ? Self.smallSizes : LogSizes(segment: 512 << 10, reserve: 16 << 10)
            let file = try makeFile(sizes: sizes)
            try check("run \(run), opened")
            if run >= 3 {
                try file.register([JournalSink("store"), JournalSink("repository")])
                for _ in 0..<(run - 2) * 400 { try file.append(text) }
                try check("run \(run), many appended")
                try file.deliver("store", to: file.end().first)
                try check("run \(run), many delivered")
            }
            try file.register([JournalSink("store"), JournalSink("repository")])
            for count in [1, 30, 100, 7] {
                try file.append(String(repeating: text, count: count))
                try check("run \(run), \(count) appended")
            }
            try file.deliver("store", to: file.end().first)
            try check("run \(run), delivered")
            if run == 1 { file.close() }
            try check("run \(run), ended")
        }
    }

    func testInspector_readsADamagedNewestSegment_asTheNextRunDoes() throws {
        let file = try makeFile()
        try file.register([JournalSink("store")])
        for _ in 0..<5 { try file.append("a\nb\n") }
        file.close()
        let name = try XCTUnwrap(segmentNames().last)
        let whole = try contents(of: name)
        var random = SeededGenerator(seed: 1)
        for _ in 0..<200 {
            var bytes = whole
            let used = 1 + (bytes.prefix(8 << 10).lastIndex { $0 != 0 } ?? 0)
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                bytes[Int.random(in: 0..<used, using: &random)] ^= 0x55
            }
            if Bool.random(using: &random) {
                bytes.removeSubrange(Int.random(in: 0..<bytes.count, using: &random)...)
            }
            try write(bytes, to: name)
            let newest = LogInspector.newestLedger(at: path)?.pending(for: "store")
            let isIntact = try LogInspector.problems(at: path).isEmpty
            guard isIntact || newest != nil else { continue }
            XCTAssertEqual(newest, LogInspector.ledger(at: path)?.pending(for: "store"))
        }
    }
}
