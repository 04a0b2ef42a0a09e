import GatewayCore
import GatewayTesting
import HealthModel
import Platform
import WorkoutFiles
import Workouts
import XCTest

/// Files of every kind of damage: each one is read or refused, none stops the program.
final class WorkoutFileFuzzTests: XCTestCase {
    private func small(_ format: WorkoutFileFormat) throws -> [UInt8] {
        var run = RecordedRun()
        run.events = [
            WorkoutEvent(.pause, at: RecordedRun.at(6)),
            WorkoutEvent(.resume, at: RecordedRun.at(9)),
            WorkoutEvent(.marker, at: RecordedRun.at(10)),
        ]
        for second in [1.0, 2, 3, 4, 5, 10, 11, 12] {
            try run.add(.heartRate, 100 + second, second, from: RecordedRun.strap)
            try run.add(.rrInterval, 800, second - 0.8, second, from: RecordedRun.strap)
            try run.add(.runningCadence, 171, second, from: RecordedRun.pod)
            try run.add(.distanceWalkingRunning, 3, second - 1, second, from: RecordedRun.pod)
        }
        return try WorkoutFile.export(
            try run.recorded(laps: [0, 4], end: 14), as: format, by: RecordedRun.recorder)
    }

    /// Reads a possibly corrupt file; returns a description if it is neither read nor rejected
    /// properly.
    private func problem(_ bytes: [UInt8]) -> String? {
        do {
            let imported = try WorkoutFile.read(bytes)
            let workout = imported.workout
            let isInside = imported.samples.allSatisfy { $0.end <= workout.end }
            return isInside && workout.start <= workout.end ? nil : "a sample outlasts the workout"
        } catch {
            return "\(error)".contains("; ") ? nil : "\(error)"
        }
    }

    func testEveryTruncation_isRefused() throws {
        for format in [WorkoutFileFormat.fit, .tcx] {
            var bytes = try small(format)
            // The last line end belongs to nothing.
            while bytes.last == UInt8(ascii: "\n") { bytes.removeLast() }
            XCTAssertNoThrow(try WorkoutFile.read(bytes))
            for count in 0..<bytes.count {
                XCTAssertThrowsError(try WorkoutFile.read(Array(bytes[..<count])), "\(count)") {
                    XCTAssertTrue($0 is WorkoutFileError)
                }
            }
        }
    }

    func testTruncation_ofUTF16_isRefused() throws {
        let text = String(decoding: try small(.tcx), as: UTF8.self)
            .replacing("\"UTF-8\"", with: "\"UTF-16\"").trimmingCharacters(in: .newlines)
        for encoding in [XMLEncoder.utf16LittleEndian, .utf16BigEndian] {
            let bytes = encoding.mark + encoding.bytes(text)
            XCTAssertNoThrow(try WorkoutFile.read(bytes))
            for count in stride(from: 0, to: bytes.count, by: 7) {
                XCTAssertThrowsError(try WorkoutFile.read(Array(bytes[..<count])), "\(count)") {
                    XCTAssertTrue($0 is WorkoutFileError)
                }
            }
        }
    }

    func testEveryTruncation_whoseChecksumFits_isReadOrRefused() throws {
        let data = try small(.fit).dropFirst(14).dropLast(2)
        for count in 0..<data.count {
            XCTAssertNil(problem(FITBytes.file(Array(data.prefix(count)))), "\(count)")
        }
    }

    func testCorruptFIT_isReadOrRefused() throws {
        let data = Array(try small(.fit).dropFirst(14).dropLast(2))
        try run(
            data, words: [[0x40, 0, 0, 20, 0, 1, 253, 4, 0x86], [0xFF], [0x8C], [0, 0, 0, 0]]
        ) {
            self.problem(FITBytes.file($0))
        }
    }

    func testCorruptStrapData_isReadOrRefused() throws {
        let second = UInt32(RecordedRun.origin.nanosecondsSince1970 / 1_000_000_000 - 631_065_600)
        let strap = FITBytes.strap(
            at: second, anchor: .max, beats: (1...6).map { (UInt32($0) * 1_000, 120) })
        let activity = try small(.fit)
        try run(
            strap.data,
            words: [[0x40, 0, 0, 132, 0, 1, 9, 8, 0x8F], [0xFF], [0x80], [0, 0, 0, 0]]
        ) {
            self.problem(activity + FITBytes.file($0))
        }
    }

    func testCorruptTCX_isReadOrRefused() throws {
        let words = [
            "<Lap StartTime=\"2026-09-21T14:00:00Z\">", "</Lap>", "<Track>", "</Track>",
            "&#x10FFFF;", "<!DOCTYPE a [", "<!ENTITY e \"&e;\">", "]>", "&e;",
            "<?xml version='1.0' encoding='windows-1252'?>", "<Trackpoint>", "<!--", "-->",
            "<![CDATA[", "]]>", "1e300", "-1",
            "99999999999999999999",
            "<Time>1677-09-21T00:12:43.2Z</Time>", "2262-04-11T23:47:16Z", "<",
        ].map { Array($0.utf8) }
        try run(try small(.tcx), words: words, problem)
    }

    func testCorruptTCX_inUTF16_isReadOrRefused() throws {
        let text = String(decoding: try small(.tcx), as: UTF8.self)
            .replacing("\"UTF-8\"", with: "\"UTF-16\"")
        for encoding in [XMLEncoder.utf16LittleEndian, .utf16BigEndian] {
            let words =
                ["🏃", "<Lap>", "</Lap>", "<!DOCTYPE a [", "&a;", "\u{FFFE}"]
                .map(encoding.bytes) + [[0xD8], [0xDC], [0]]
            try run(encoding.mark + encoding.bytes(text), words: words, problem)
        }
    }

    func testRandomBytes_areRefused() throws {
        var run = FuzzRun("workout files of any bytes", inputs: 2_000)
        while var random = run.next() {
            let bytes = random.bytes(upTo: 200)
            for file in [
                bytes, FITBytes.file(bytes), Array("<TrainingCenterDatabase>".utf8) + bytes,
            ] {
                if let problem = problem(file) { run.expect(false, problem) }
            }
        }
        XCTAssertEqual(run.finish(), [])
    }

    /// Damages bytes in up to four places, over and over.
    private func run(
        _ bytes: [UInt8], words: [[UInt8]], _ problem: ([UInt8]) -> String?
    ) throws {
        var run = FuzzRun(name, inputs: 3_000)
        while var random = run.next() {
            var corrupt = bytes
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                random.mutate(&corrupt, words: words)
            }
            if let problem = problem(corrupt) { run.expect(false, problem) }
        }
        XCTAssertEqual(run.finish(), [])
    }
}
