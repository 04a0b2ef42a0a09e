import XCTest

@testable import Backup

final class TarHeaderTests: XCTestCase {
    private func read(_ bytes: [UInt8]) throws -> TarHeader? { try TarHeader(bytes[...]) }

    func testHeader_isReadAsItIsWritten() throws {
        for size: Int64 in [0, 1, 511, 512, 0o777_7777_7777, 0o1_0000_0000_0000, 1 << 40] {
            let header = TarHeader(name: "health.sqlite", size: size, time: 1_795_000_000)
            XCTAssertEqual(header.bytes.count, TarHeader.blockSize)
            XCTAssertEqual(try read(header.bytes), header, "\(size)")
        }
    }

    func testFields_areThoseOfUstar() {
        let bytes = TarHeader(name: "people.json", size: 300, time: 8).bytes
        func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }
        XCTAssertEqual(text(0..<12), "people.json\u{0}")
        XCTAssertEqual(text(100..<107), "0000600")
        XCTAssertEqual(text(124..<136), "00000000454\u{0}")
        XCTAssertEqual(text(257..<265), "ustar\u{0}00")
    }

    func testPadding_fillsTheBlock() {
        XCTAssertEqual(
            [0, 1, 511, 512, 513].map { TarHeader.padding(after: $0) }, [0, 511, 1, 0, 511])
    }

    func testEmptyBlock_isTheEnd() throws {
        XCTAssertNil(try read([UInt8](repeating: 0, count: TarHeader.blockSize)))
    }

    func testEachChangedByte_isNoticed() throws {
        let header = TarHeader(name: "devices.json", size: 77, time: 9)
        // The space after the checksum is a separator.
        for index in 0..<TarHeader.blockSize where index != 155 {
            var bytes = header.bytes
            bytes[index] ^= 0x11
            XCTAssertThrowsError(try read(bytes), "byte \(index)")
        }
    }

    func testWhatIsNoRegularFile_isRefused() throws {
        for type in "123456x" {
            var bytes = TarHeader(name: "people.json", size: 0, time: 0).bytes
            // The sum changes by as much as the type.
            bytes[156] = type.asciiValue ?? 0
            let sum = bytes.enumerated().reduce(0) {
                $0 + ((148..<156).contains($1.offset) ? 32 : Int($1.element))
            }
            let digits = String(sum, radix: 8)
            bytes.replaceSubrange(148..<154, with: ("000000" + digits).suffix(6).utf8)
            XCTAssertThrowsError(try read(bytes)) {
                XCTAssertEqual($0 as? BackupError, .unknownMember("people.json"))
            }
        }
    }
}
