import XCTest

@testable import HealthModel
@testable import JSON
@testable import Platform

final class NumberTests: XCTestCase {
    func testAppend_isShortAndValidJSON() {
        let vectors: [(Double, String)] = [
            (0, "0"), (-0.0, "-0"), (72, "72"), (-5, "-5"), (1.5, "1.5"), (0.1, "0.1"),
            (831.0546875, "831.0546875"), (1e15, "1000000000000000"),
            (9_007_199_254_740_991, "9007199254740991"),
            (9_007_199_254_740_992, "9007199254740992"),
            (1e16, "1e+16"), (1e300, "1e+300"), (.leastNonzeroMagnitude, "5e-324"), (1e-5, "1e-05"),
            (.greatestFiniteMagnitude, "1.7976931348623157e+308"),
        ]
        for (value, text) in vectors { XCTAssertEqual(Number.string(value), text) }
    }

    func testAppend_readsBackExactly() throws {
        let seed: UInt64 = 99
        var generator = SeededGenerator(seed: seed)
        for index in 0..<20_000 {
            let bits = UInt64.random(in: .min ... .max, using: &generator)
            let value = index % 2 == 0 ? Double(bitPattern: bits) : Double(bits >> 20) / 1_024
            guard value.isFinite else { continue }
            let read = try self.read(Number.string(value))
            XCTAssertEqual(read.bitPattern, value.bitPattern, "seed \(seed)")
        }
    }

    func testReadNumber_isCorrectlyRounded() throws {
        let texts = [
            "0", "-0", "1", "123456789012345", "1234567890123456", "0.000001", "1e22", "1e23",
            "1E+5", "1e-5", "12345678901234567890", "0.1", "2.2250738585072011e-308", "1e-400",
            "123456789012345e22", "9007199254740993", "1.7976931348623157e308", "100000e-27",
            "0.30000000000000004", "179769313486231570000e288", "0e99999999999999999999",
        ]
        for text in texts { XCTAssertEqual(try read(text), Double(text), text) }
    }

    func testReadNumber_whenMalformed_throws() {
        let texts = [
            "", "-", "+1", ".5", "1.", "1.e5", "1e", "1e+", "1e400", "-1e400", "NaN", "Infinity",
            "--1", "-a", "1e99999999999999999999",
        ]
        for text in texts { XCTAssertThrowsError(try read(text), text) }
    }

    private func read(_ text: String) throws -> Double {
        try Array(text.utf8).withUnsafeBytes {
            var cursor = JSONCursor($0)
            let value = try cursor.readNumber()
            XCTAssertEqual(cursor.position, $0.count)
            return value
        }
    }
}

final class UTF8ValidatorTests: XCTestCase {
    func testFirstInvalidOffset_whenWellFormed_isNil() {
        let texts = [
            "", "abc", "0123456789é0123456789💓", "\u{7FF}\u{800}\u{D7FF}\u{E000}\u{10FFFF}",
        ]
        for text in texts { XCTAssertNil(offset(Array(text.utf8)), text) }
    }

    func testFirstInvalidOffset_whenMalformed_isWhereItBegins() {
        let vectors: [([UInt8], Int)] = [
            ([0x80], 0), ([0x61, 0xC0, 0xAF], 1), ([0xC1, 0xBF], 0), ([0xC3], 0),
            ([0xC3, 0x28], 0),
            ([0xE0, 0x9F, 0xBF], 0), ([0xED, 0xA0, 0x80], 0), ([0xE2, 0x82], 0),
            ([0xF0, 0x8F, 0xBF, 0xBF], 0), ([0xF4, 0x90, 0x80, 0x80], 0), ([0xF5, 0x80], 0),
            ([0xFF], 0), (Array(repeating: 0x61, count: 17) + [0xFE], 17),
            ([0xF0, 0x9F, 0x92, 0x28], 0), ([0xE2, 0x82, 0xAC, 0xE2], 3),
        ]
        for (bytes, expected) in vectors { XCTAssertEqual(offset(bytes), expected) }
    }

    func testFirstInvalidOffset_agreesWithTheStandardLibrary() {
        let seed: UInt64 = 3
        var generator = SeededGenerator(seed: seed)
        let interesting: [UInt8] = [
            0x61, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC1, 0xC2, 0xDF, 0xE0, 0xE1, 0xED,
            0xEF, 0xF0, 0xF1, 0xF4, 0xF5,
        ]
        for _ in 0..<50_000 {
            let count = Int.random(in: 0...6, using: &generator)
            let bytes = (0..<count).map { _ in interesting.randomElement(using: &generator) ?? 0 }
            let isValid = String(validating: bytes, as: UTF8.self) != nil
            XCTAssertEqual(offset(bytes) == nil, isValid, "\(bytes), seed \(seed)")
        }
    }

    private func offset(_ bytes: [UInt8]) -> Int? {
        bytes.withUnsafeBytes { UTF8Validator.firstInvalidOffset(in: $0) }
    }
}
