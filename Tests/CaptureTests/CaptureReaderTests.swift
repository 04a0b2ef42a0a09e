import GatewayTesting
import HealthModel
import JSON
import Platform
import Readings
import XCTest

@testable import Capture

/// Files that are cut off, damaged or not captures.
final class CaptureReaderTests: XCTestCase {
    private let header = CaptureHeader(
        version: "1.0.0", earliest: Instant(nanosecondsSince1970: 0), utcOffsetSeconds: -3_600,
        start: BootInstant(nanoseconds: 5), clockOffset: 1_795_000_000_123_456_789)
    private let events: [CaptureEvent] = [
        .device(1, source: "foot", Device(localIdentifier: "/dev/ttyUSB0")),
        .opened(
            1, at: BootInstant(nanoseconds: 9), adapter: .object(["protocol": .string("hxm")])),
        .received(1, at: BootInstant(nanoseconds: 10), [1, 2, 3], on: .stream),
        .clock(offset: -5),
        .closed(1, at: BootInstant(nanoseconds: 11), reason: "stopped"),
    ]

    private var file: [UInt8] {
        CaptureEncoder.line(header) + events.flatMap { CaptureEncoder.line($0) }
    }

    /// Reads a whole file.
    private func read(
        _ bytes: [UInt8], in folder: TemporaryFolder
    ) async throws -> (CaptureHeader, [CaptureEvent], isTorn: Bool) {
        try folder.write(bytes, to: "capture")
        let reader = try CaptureReader(folder.path("capture"))
        let header = try await reader.header()
        var events: [CaptureEvent] = []
        while let part = try await reader.next() { events += part.map(\.event) }
        return (header, events, await reader.isTorn)
    }

    func testWholeFile_isRead() async throws {
        let (header, events, isTorn) = try await read(file, in: TemporaryFolder())
        XCTAssertEqual(header, self.header)
        XCTAssertEqual(events, self.events)
        XCTAssertFalse(isTorn)
    }

    func testEveryTruncation_isReadUpToItsLastLine() async throws {
        let folder = try TemporaryFolder()
        let headerLength = CaptureEncoder.line(header).count - 1
        for length in 0..<file.count {
            let part = Array(file.prefix(length))
            guard length >= headerLength else {
                do {
                    _ = try await read(part, in: folder)
                    XCTFail("\(length) bytes were read")
                } catch {
                    XCTAssertTrue("\(error)".contains("cannot replay"), "\(length): \(error)")
                }
                continue
            }
            let (_, events, isTorn) = try await read(part, in: folder)
            XCTAssertEqual(events, Array(self.events.prefix(events.count)), "\(length)")
            // A line without its newline is whole, too.
            let whole = part.count { $0 == UInt8(ascii: "\n") } - 1
            let endsWithBrace = part.last == UInt8(ascii: "}") && file[length] == UInt8(ascii: "\n")
            XCTAssertEqual(events.count, max(whole, 0) + (endsWithBrace && whole >= 0 ? 1 : 0))
            let isWhole = endsWithBrace || part.last == UInt8(ascii: "\n")
            XCTAssertEqual(isTorn, !isWhole, "\(length)")
        }
    }

    func testLinesAcrossReads_areJoined() async throws {
        var bytes = CaptureEncoder.line(header)
        var expected: [CaptureEvent] = []
        for count in 0..<3_000 {
            let event = CaptureEvent.received(
                1, at: BootInstant(nanoseconds: Int64(count)),
                [UInt8](repeating: UInt8(truncatingIfNeeded: count), count: count % 200),
                on: .stream)
            expected.append(event)
            bytes += CaptureEncoder.line(event)
        }
        XCTAssertGreaterThan(bytes.count, 600_000)
        let (_, events, _) = try await read(bytes, in: TemporaryFolder())
        XCTAssertEqual(events, expected)
    }

    func testRandomFiles_areReadOrRefused() async throws {
        let folder = try TemporaryFolder()
        var run = FuzzRun("CaptureReader", inputs: 500)
        let words = ["\n", "{\"note\":\"", "\0", "[[[[[[[[", "\"bytes\":\"0\""].map {
            Array($0.utf8)
        }
        while var generator = run.next() {
            var bytes = generator.once(in: 5) ? generator.bytes(upTo: 2_000) : file
            for _ in 0...3 { generator.mutate(&bytes, words: words) }
            do {
                _ = try await read(bytes, in: folder)
            } catch {
                run.expect(error is CaptureError, "\(error)")
            }
        }
        XCTAssertEqual(run.finish(), [])
    }

    func testMissingFile_isAnError() {
        XCTAssertThrowsError(try CaptureReader("/nonexistent/capture")) { error in
            XCTAssertEqual(
                error as? CaptureError,
                .system("read", path: "/nonexistent/capture", code: 2))
        }
    }
}
