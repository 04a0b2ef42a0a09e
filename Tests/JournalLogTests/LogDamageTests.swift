import Foundation
import GatewayTesting
import Platform
import XCTest

@testable import GatewayCore
@testable import GatewayJournal
@testable import JournalLog

/// A log that was damaged while no gateway ran: what can be read is delivered, what is missing counts.
final class LogDamageTests: LogDamageTestCase {
    /// Copies the folder, runs a change on it, and puts the copy back.
    @discardableResult
    private func each(
        _ what: String, checks: Bool = true, _ change: () throws -> Void
    ) throws -> Outcome {
        let saved = try Dictionary(uniqueKeysWithValues: names().map { ($0, try contents(of: $0)) })
        try change()
        let outcome = try run(what)
        if checks { check(outcome, what) }
        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        for (name, bytes) in saved { try write(bytes, to: name) }
        return outcome
    }

    func testUndamaged_everythingIsDelivered() throws {
        try makeLog()
        let outcome = try run("undamaged")
        XCTAssertEqual(outcome.lines.count, Self.allLines.count - 3)
        XCTAssertEqual(outcome.lost, 0)
        XCTAssertNil(outcome.damage)
    }

    func testAnyByteChanged() throws {
        try makeLog()
        for name in try segmentNames() {
            let bytes = try contents(of: name)
            let used = (bytes.lastIndex { $0 != 0 } ?? 0) + 1
            // Every byte of the first frame's header, and every 29th of the others.
            let places = Array(0..<min(64, used)) + Array(stride(from: 64, to: used, by: 29))
            for place in places {
                try each("\(name), byte \(place)") {
                    var changed = bytes
                    changed[place] ^= 1 << UInt8(place % 8)
                    try write(changed, to: name)
                }
            }
        }
    }

    func testARangeOverwritten_withZerosOrNoise() throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        print("overwritten ranges with seed \(seed)")
        var random = SeededGenerator(seed: seed)
        try makeLog()
        let names = try segmentNames()
        for round in 0..<(200 * FuzzFactor.current) {
            guard let name = names.randomElement(using: &random) else { break }
            let bytes = try contents(of: name)
            let start = Int.random(in: 0..<bytes.count, using: &random)
            let end = min(start + Int.random(in: 1...6_000, using: &random), bytes.count)
            let isNoise = Bool.random(using: &random)
            try each("seed \(seed), round \(round): \(name) \(start)..<\(end) noise \(isNoise)") {
                var changed = bytes
                for place in start..<end {
                    changed[place] = isNoise ? UInt8.random(in: 0...255, using: &random) : 0
                }
                // Zeros up to the end are what a crash leaves, and are tested below.
                if name == names.last, changed[start...].allSatisfy({ $0 == 0 }) { return }
                try write(changed, to: name)
            }
        }
    }

    /// Zeros from any byte of the newest segment to its end are what a crash leaves that came before the
    /// rest was written: no damage, and what was written before is delivered.
    func testZerosToTheEnd_areAsAnEarlierCrash() throws {
        try makeLog()
        let name = try XCTUnwrap(segmentNames().last)
        let bytes = try contents(of: name)
        let used = (bytes.lastIndex { $0 != 0 } ?? 0) + 1
        let frames = bytes.indices.filter { bytes[$0...].starts(with: FrameHeader.mark) }
        let ledger = try XCTUnwrap(bytes.withUnsafeBytes { FrameHeader($0, at: frames[5]) })
        let ledgerEnd = frames[5] + ledger.frameLength
        for place in (frames[1]...used) where place % 7 == 0 || frames.contains(place) {
            let outcome = try each("zeros from \(place)", checks: false) {
                try write(
                    bytes[..<place] + [UInt8](repeating: 0, count: bytes.count - place), to: name)
            }
            let batches = frames[2...5].count { place >= $0 }
            // Without a ledger behind them the three records that were delivered are delivered again.
            let again = place >= ledgerEnd ? 0 : 3
            XCTAssertNil(outcome.damage, "\(place)")
            XCTAssertEqual(outcome.lost, 0, "\(place)")
            XCTAssertEqual(outcome.published, Int64(Self.allLines.count - (4 - batches) * 5))
            XCTAssertEqual(outcome.lines.count, Int(outcome.published) - 3 + again, "\(place)")
        }
    }

    func testCut_atEveryFrameAndAnywhere() throws {
        try makeLog()
        for name in try segmentNames() {
            let bytes = try contents(of: name)
            let borders = bytes.indices.filter { bytes[$0...].starts(with: FrameHeader.mark) }
            let places = borders.flatMap { [$0, $0 + 1, $0 + FrameHeader.length] }
            for place in places + Array(stride(from: 0, to: bytes.count, by: 501))
            where place < bytes.count {
                try each("\(name) cut to \(place)") { try write(Array(bytes[..<place]), to: name) }
            }
        }
    }

    /// Nothing but the ledger at its end is left of the newest segment: the others are read as before.
    func testNewestSegment_withoutItsStartAndRecords_losesOnlyThese() throws {
        try makeLog()
        let name = try XCTUnwrap(segmentNames().last)
        var bytes = try contents(of: name)
        let records = bytes.indices.filter { bytes[$0...].starts(with: FrameHeader.mark) }
        for place in 131..<records[records.count - 2] { bytes[place] = 0 }
        try write(bytes, to: name)
        let outcome = try run("only the ledger is left")
        XCTAssertEqual(outcome.damage?.missing, 20)
        XCTAssertEqual(outcome.lost, 20)
        XCTAssertEqual(outcome.lines.count, Self.allLines.count - 3 - 20)
    }

    /// The oldest segment has lost its start, and has the name of the newest: its frames say that it is old.
    func testOldestSegment_withoutItsStartAndWithALaterName_isStillTheOldest() throws {
        try makeLog()
        let name = try XCTUnwrap(segmentNames().first)
        var bytes = try contents(of: name)
        for place in 1..<102 { bytes[place] = 0 }
        try FileManager.default.removeItem(atPath: "\(path)/\(name)")
        try write(bytes, to: LogFolder.name(of: 50))
        let outcome = try run("renamed")
        XCTAssertEqual(outcome.published, Int64(Self.allLines.count))
        XCTAssertEqual(outcome.lines.count, Self.allLines.count - 3)
    }

    /// Bytes between the frames move the last ones behind the place for frames: they are read all the same.
    func testFramesMoved_behindTheirPlace_areRead() throws {
        try makeLog()
        for name in try segmentNames() {
            let outcome = try each("\(name) longer") {
                var bytes = try contents(of: name)
                let frames = bytes.indices.filter { bytes[$0...].starts(with: FrameHeader.mark) }
                let zeros = [UInt8](repeating: 0, count: LogTestCase.smallSizes.segment)
                bytes.insert(contentsOf: zeros, at: frames[1])
                try write(bytes, to: name)
            }
            XCTAssertEqual(outcome.lines.count, Self.allLines.count - 3, name)
            XCTAssertEqual(outcome.lost, 0, name)
        }
    }

    /// A missing segment and a damaged one before the newest: both are counted.
    func testMissingAndDamagedSegment_areBothCounted() throws {
        try makeLog()
        let names = try segmentNames()
        try FileManager.default.removeItem(atPath: "\(path)/\(names[0])")
        var bytes = try contents(of: names[1])
        bytes[1_000] ^= 1
        try write(bytes, to: names[1])
        let outcome = try run("missing and damaged")
        XCTAssertEqual(outcome.damage?.missing, outcome.lost)
        XCTAssertEqual(Int64(outcome.lines.count) + outcome.lost, Int64(Self.allLines.count) - 3)
    }

    func testMissingSegments() throws {
        try makeLog()
        let names = try segmentNames()
        for first in names.indices {
            for last in first..<names.count where last - first < names.count - 1 {
                try each("without \(names[first...last])") {
                    for name in names[first...last] {
                        try FileManager.default.removeItem(atPath: "\(path)/\(name)")
                    }
                }
            }
        }
    }

    func testMissingSegmentInTheMiddle_itsRecordsAreCountedExactly() throws {
        try makeLog()
        let names = try segmentNames()
        try FileManager.default.removeItem(atPath: "\(path)/\(names[1])")
        let outcome = try run("without the second")
        XCTAssertGreaterThan(outcome.lost, 0)
        XCTAssertEqual(outcome.damage?.missing, outcome.lost)
        XCTAssertEqual(Int64(outcome.lines.count) + outcome.lost, Int64(Self.allLines.count) - 3)
    }

    func testSwappedSegments_areReadInTheirOrder() throws {
        try makeLog()
        let names = try segmentNames()
        let first = try contents(of: names[0])
        try write(try contents(of: names[1]), to: names[0])
        try write(first, to: names[1])
        let outcome = try run("swapped")
        XCTAssertEqual(outcome.lost, 0)
        XCTAssertEqual(outcome.lines.count, Self.allLines.count - 3)
    }

    func testSegmentsOfAnotherJournal_areMovedAway() throws {
        try makeLog()
        let own = try segmentNames()
        let other = try contents(of: own[1])
        try FileManager.default.removeItem(atPath: path)
        try makeLog()
        try write(other, to: own[1])
        let file = try makeFile()
        let moved = try XCTUnwrap(file.damageAtOpening?.movedTo)
        XCTAssertTrue(FileManager.default.fileExists(atPath: "\(moved)/\(own[1])"))
        XCTAssertTrue(file.damageAtOpening?.description.contains("another journal") ?? false)
        XCTAssertGreaterThan(try file.drain("store").lost, 0)
    }

    /// Such a file is not read, which would take long.
    func testFileThatIsLargerThanASegment_isMovedAway_unlessItBeginsAsOne() throws {
        try makeLog()
        let newest = try XCTUnwrap(segmentNames().last)
        let foreign = LogFolder.name(of: 51)
        try write([], to: foreign)
        for name in [newest, foreign] {
            XCTAssertEqual(truncate("\(path)/\(name)", 4 << 30), 0)
        }
        let outcome = try run("large")
        let damage = try XCTUnwrap(outcome.damage)
        let moved = try XCTUnwrap(damage.movedTo)
        XCTAssertEqual(try FileManager.default.contentsOfDirectory(atPath: moved), [foreign])
        XCTAssertTrue(damage.description.contains("larger than a segment"), damage.description)
        XCTAssertEqual(damage.missing, 0)
        XCTAssertEqual(outcome.lost, 0)
        XCTAssertEqual(outcome.lines.count, Self.allLines.count - 3)
    }

    /// A write that a crash cut off is no damage: nothing of it was accepted.
    func testLastWriteCutOff_isNoDamage() throws {
        let file = try makeFile(sizes: LogSizes(segment: 400 << 10, reserve: 0))
        try file.register([JournalSink("store")])
        try file.append("accepted\n")
        let name = try XCTUnwrap(segmentNames().last)
        let start = try XCTUnwrap(contents(of: name).lastIndex { $0 != 0 }) + 1
        try file.append(String(repeating: "x", count: 300) + "\n")
        let bytes = try contents(of: name)
        let end = try XCTUnwrap(bytes.lastIndex { $0 != 0 }) + 1
        for place in stride(from: start, to: end, by: 3) {
            var cut = bytes
            for index in place..<end { cut[index] = 0 }
            try write(cut, to: name)
            let file = try makeFile(sizes: LogSizes(segment: 400 << 10, reserve: 0))
            XCTAssertNil(file.damageAtOpening, "\(place)")
            XCTAssertEqual(try file.ledger().ingest.published, 1, "\(place)")
            for made in try segmentNames() where made != name {
                try FileManager.default.removeItem(atPath: "\(path)/\(made)")
            }
        }
    }

    func testEmptySegmentsOnly_isAnUnknownLoss() throws {
        try makeLog()
        for name in try segmentNames() { try write([], to: name) }
        let file = try makeFile()
        let damage = try XCTUnwrap(file.damageAtOpening)
        XCTAssertNil(damage.missing)
        XCTAssertFalse(damage.keepsLedger)
        XCTAssertTrue(damage.description.contains("unknown number"), damage.description)
        try file.register([JournalSink("store")])
        try file.append("new\n")
        XCTAssertEqual(try file.drain("store").lines, ["new"])
    }

    /// A crash between the creation of a segment and its first frame.
    func testNewestSegmentWithoutAFrame_isNoDamage() throws {
        for size in [0, 40 << 10] {
            let file = try makeFile()
            try file.register([JournalSink("store")])
            try file.append("accepted \(size)\n")
            let number = try XCTUnwrap(segmentNames().last.flatMap { UInt64($0.dropLast(8)) })
            try write([UInt8](repeating: 0, count: size), to: LogFolder.name(of: number + 1))
            let again = try makeFile()
            XCTAssertNil(again.damageAtOpening)
            XCTAssertEqual(try again.drain("store").lines, ["accepted \(size)"])
        }
    }
}
