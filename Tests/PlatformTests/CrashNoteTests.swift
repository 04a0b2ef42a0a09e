import GatewayTesting
import XCTest

@testable import Platform

/// Tests of the note that a crash leaves.
final class CrashNoteTests: XCTestCase {
    private func note(_ signal: UInt8 = 11) -> [UInt8] {
        var bytes = Array("PGcrash1".utf8) + [signal, 0, 0, 0, 0, 0, 0, 0]
        bytes += Array("foot".utf8) + [UInt8](repeating: 0, count: 108)
        bytes += Array("/dev/ttyUSB0".utf8) + [UInt8](repeating: 0, count: 100)
        return bytes
    }

    func testInit_readsTheNote() throws {
        let found = try XCTUnwrap(CrashNote(note()))
        XCTAssertEqual(found.source, "foot")
        XCTAssertEqual(found.device, "/dev/ttyUSB0")
        XCTAssertEqual(found.signal, 11)
    }

    func testInit_ofTruncatedOrRandomBytes_isNilOrBounded() {
        for length in 0..<note().count {
            XCTAssertNil(CrashNote(Array(note().prefix(length))), "\(length)")
        }
        for seed in 1...2_000 {
            var generator = SeededGenerator(seed: UInt64(seed))
            var bytes = note()
            for _ in 0..<8 {
                bytes[Int.random(in: 8..<bytes.count, using: &generator)] = .random(
                    in: 0...255, using: &generator)
            }
            guard let found = CrashNote(bytes) else { continue }
            XCTAssertLessThan(found.device.utf8.count, 2_000, "seed \(seed)")
        }
    }
}
