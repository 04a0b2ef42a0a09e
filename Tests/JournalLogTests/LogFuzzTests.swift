import Foundation
import GatewayTesting
import Platform
import XCTest

@testable import GatewayCore
@testable import GatewayJournal
@testable import JournalLog

/// A log with any damage: every record is read unchanged and once, or it is missing, and counted where
/// the number is known.
final class LogFuzzTests: LogDamageTestCase {
    private typealias Files = [String: [UInt8]]

    private func makeFiles() throws -> Files {
        try makeLog()
        return try Dictionary(
            uniqueKeysWithValues: segmentNames().map { ($0, try contents(of: $0)) })
    }

    private func replace(_ files: Files) throws {
        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: false)
        for (name, bytes) in files { try write(bytes, to: name) }
        for name in try FileManager.default.contentsOfDirectory(
            atPath: temporary.folder?.path ?? "")
        where name.hasPrefix("journal.damaged") {
            try FileManager.default.removeItem(atPath: "\(path)/../\(name)")
        }
    }

    /// One damage: nothing is missing without a word.
    func testAnyDamage() throws {
        let files = try makeFiles()
        var run = FuzzRun("damaged log", inputs: 250)
        while var random = run.next(), testRun?.failureCount == 0 {
            var changed = files
            let what = "seed \(run.seed): \(Self.damage(&changed, &random))"
            try replace(changed)
            check(try self.run(what), what)
        }
        XCTAssertEqual(run.finish(), [])
    }

    /// Several damages can hide each other, but what is read is right, and a known number is, too.
    func testAnyDamages() throws {
        let files = try makeFiles()
        var run = FuzzRun("log damaged in several places", inputs: 250)
        while var random = run.next(), testRun?.failureCount == 0 {
            var changed = files
            var what = "seed \(run.seed):"
            for _ in 0..<Int.random(in: 2...5, using: &random) {
                what += " \(Self.damage(&changed, &random));"
            }
            try replace(changed)
            let outcome = try self.run(what)
            let delivered = Int64(outcome.lines.count)
            if let known = outcome.damage?.missing { XCTAssertEqual(known, outcome.lost, what) }
            guard outcome.damage?.keepsLedger != false else { continue }
            XCTAssertLessThanOrEqual(outcome.published, Int64(Self.allLines.count), what)
            XCTAssertLessThanOrEqual(delivered + outcome.lost, outcome.published, what)
        }
        XCTAssertEqual(run.finish(), [])
    }

    /// Damages the files of a log; what was done.
    private static func damage(_ files: inout Files, _ random: inout SeededGenerator) -> String {
        let names = files.keys.sorted()
        guard let name = names.randomElement(using: &random),
            let other = names.randomElement(using: &random), var bytes = files[name],
            let others = files[other]
        else { return "nothing" }
        let range = Self.range(in: bytes, &random)
        var what = "\(name) \(range) "
        switch Int.random(in: 0..<13, using: &random) {
        case 0, 1:
            for place in range { bytes[place] = UInt8.random(in: 0...255, using: &random) }
            what += "noise"
        case 2, 3:
            // Longer ones also cover the ledger at the end: then it is as if nothing had been written.
            for place in range.prefix(5_000) { bytes[place] = 0 }
            what += "zeros"
        case 4:
            guard let place = range.first else { break }
            bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            what += "bit"
        case 5:
            bytes.removeSubrange(range.lowerBound...)
            what += "cut off"
        case 6:
            bytes.removeSubrange(range)
            what += "removed"
        case 7:
            bytes.insert(contentsOf: bytes[range], at: Self.range(in: bytes, &random).lowerBound)
            what += "doubled"
        case 8:
            let from = Self.range(in: others, &random)
            let place = range.lowerBound
            bytes.replaceSubrange(
                place..<min(place + from.count, bytes.count), with: others[from])
            what += "from \(other) \(from)"
        case 9:
            files[name] = nil
            return "\(name) missing"
        case 10:
            files[other] = bytes
            bytes = others
            what = "\(name) and \(other) swapped"
        case 11:
            let number = UInt64.random(in: 1...20, using: &random)
            files[LogFolder.name(of: number)] = bytes
            return "\(name) again as \(number)"
        default:
            bytes += random.bytes(upTo: 5_000)
            what = "\(name) longer"
        }
        files[name] = bytes
        return what
    }

    /// A range that often begins at a frame.
    private static func range(
        in bytes: [UInt8], _ random: inout SeededGenerator
    ) -> Range<Int> {
        var start = Int.random(in: 0...bytes.count, using: &random)
        if Bool.random(using: &random) {
            let next = bytes.indices.dropFirst(start).first {
                bytes[$0...].starts(with: FrameHeader.mark)
            }
            start = next ?? start
        }
        let limits = [4, 64, 600, 6_000, 20_000]
        let count = Int.random(in: 0...random.pick(limits), using: &random)
        return start..<min(start + count, bytes.count)
    }
}
