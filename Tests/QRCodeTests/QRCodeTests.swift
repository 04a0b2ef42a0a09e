import Foundation
import GatewayTesting
import Platform
import XCTest

@testable import QRCode

/// Tests codes against the standard's example and a reader.
final class QRCodeTests: XCTestCase {
    /// The codewords of the example in ISO/IEC 18004:2015, annex I.2 (01234567, version 1-M): its data and
    /// its error correction.
    func testErrorCorrection_isThatOfTheStandard() {
        let data: [UInt8] = [
            0x10, 0x20, 0x0C, 0x56, 0x61, 0x80, 0xEC, 0x11, 0xEC, 0x11, 0xEC, 0x11, 0xEC, 0x11,
            0xEC, 0x11,
        ]
        XCTAssertEqual(
            ReedSolomon.correction(of: data, count: 10),
            [0xA5, 0x24, 0xD4, 0xC1, 0xED, 0x36, 0xC7, 0x87, 0x2C, 0x55])
    }

    func testVersion_isTheSmallestThatHasRoom() throws {
        let sizes = [
            (1, 21), (17, 21), (18, 25), (32, 25), (33, 29), (106, 37), (107, 41), (230, 53),
        ]
        for (length, size) in sizes {
            let code = try XCTUnwrap(QRCode(String(repeating: "a", count: length)))
            XCTAssertEqual(code.size, size, "\(length)")
            XCTAssertEqual(code.rows.map(\.count), [Int](repeating: size, count: size))
        }
        XCTAssertNil(QRCode(String(repeating: "a", count: 231)))
        XCTAssertNil(QRCode(String(repeating: "é", count: 116)))
        XCTAssertNotNil(QRCode(""))
    }

    func testText_hasABorder_andBothForms() throws {
        let code = try XCTUnwrap(QRCode("http://pi.local:8765/"))
        let plain = code.lines(drawsDark: false)
        XCTAssertEqual(Set(plain.map(\.count)), [code.width])
        XCTAssertEqual(plain.count, (code.width + 1) / 2)
        XCTAssertEqual(Set(plain[0]), ["█"])
        let dark = code.lines(drawsDark: true)
        XCTAssertEqual(dark.map(\.count), plain.map(\.count))
        XCTAssertEqual(Set(dark[0]), [" "])
    }

    /// ZBar reads codes of every version and of many texts.
    func testCodes_areReadByZBar() throws {
        var generator = SeededGenerator(seed: 18_004)
        let letters = Array("abcdefghijklmnopqrstuvwxyzABCDEFXYZ0123456789:/?=&.-_%")
        var texts = ["http://192.168.178.27:8765/?token=0123456789abcdef", "http://pi.local:8765/"]
        for length in stride(from: 1, through: 230, by: 7) {
            texts.append(
                String((0..<length).map { _ in letters.randomElement(using: &generator) ?? "a" }))
        }
        let codes = try texts.map { try XCTUnwrap(QRCode($0)) }
        let lines = zip(texts, codes).map { text, code in
            text + " " + code.rows.map { $0.map { $0 ? "1" : "0" }.joined() }.joined(separator: ",")
        }
        let wrong = try Self.readByZBar(lines)
        XCTAssertEqual(wrong, "read \(texts.count)\n")
    }

    private static func readByZBar(_ lines: [String]) throws -> String {
        let folder = try TemporaryFolder()
        let file = folder.path + "/codes.txt"
        try lines.joined(separator: "\n").write(toFile: file, atomically: true, encoding: .utf8)
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["python3", "-c", reader, file]
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        let output = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        let text = String(decoding: output, as: UTF8.self)
        if text == "missing\n" {
            throw XCTSkip("needs ZBar: apt-get install libzbar0; python3 -m pip install pyzbar")
        }
        return text
    }

    private static let reader = """
        import sys
        try:
            from pyzbar import pyzbar
        except ImportError:
            print("missing"); sys.exit()
        count, scale, border = 0, 4, 4
        for line in open(sys.argv[1]).read().split("\\n"):
            text, rows = line.rsplit(" ", 1)
            rows = rows.split(",")
            size = len(rows) + 2 * border
            rows = ["0" * size] * border + ["0" * border + row + "0" * border for row in rows]
            rows += ["0" * size] * border
            pixels = b"".join(
                b"".join((b"\\0" if bit == "1" else b"\\xff") * scale for bit in row) * scale
                for row in rows)
            found = pyzbar.decode((pixels, size * scale, size * scale))
            if [code.data.decode() for code in found] == [text]: count += 1
            else: print("wrong", repr(text), found)
        print("read", count)
        """
}
