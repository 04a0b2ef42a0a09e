import ByteDecoding
import XCTest

/// Vectors of Nordic's and Zephyr's decoders of IEEE 11073-20601 numbers.
final class MedicalFloatTests: XCTestCase {
    private func sfloat(_ bytes: UInt8...) throws -> MedicalFloat {
        var reader = ByteReader(bytes)
        return try reader.sfloat()
    }

    private func float(_ bytes: UInt8...) throws -> MedicalFloat {
        var reader = ByteReader(bytes)
        return try reader.float()
    }

    func testSFLOAT() throws {
        XCTAssertEqual(try sfloat(0x8A, 0x00), .finite(138))
        XCTAssertEqual(try sfloat(0xBD, 0xF0), .finite(18.9))
        XCTAssertEqual(try sfloat(0x9F, 0xF0), .finite(15.9))
        XCTAssertEqual(try sfloat(0x0B, 0x00), .finite(11))
        XCTAssertEqual(try sfloat(0x72, 0xFF), .finite(-14.2))
        XCTAssertEqual(try sfloat(0x01, 0x70), .finite(10_000_000))
        XCTAssertEqual(try sfloat(0x62, 0x80), .finite(98e-8))
    }

    func testSFLOAT_specialValues() throws {
        XCTAssertEqual(try sfloat(0xFF, 0x07), .notANumber)
        XCTAssertEqual(try sfloat(0x00, 0x08), .notAtThisResolution)
        XCTAssertEqual(try sfloat(0xFE, 0x07), .positiveInfinity)
        XCTAssertEqual(try sfloat(0x02, 0x08), .negativeInfinity)
        XCTAssertEqual(try sfloat(0x01, 0x08), .reserved)
        XCTAssertNil(try sfloat(0xFF, 0x07).value)
        // The same mantissa with another exponent is a number.
        XCTAssertEqual(try sfloat(0xFF, 0x17), .finite(20_470))
        XCTAssertEqual(try sfloat(0xFD, 0x07), .finite(2_045))
    }

    func testFLOAT() throws {
        XCTAssertEqual(try float(0xB0, 0x0E, 0x00, 0xFE), .finite(37.60))
        XCTAssertEqual(try float(0x72, 0x01, 0x00, 0xFF), .finite(37.0))
        XCTAssertEqual(try float(0xFF, 0xFF, 0xFF, 0x00), .finite(-1))
        XCTAssertEqual(try float(0x01, 0x00, 0x00, 0x80), .finite(1e-128))
        XCTAssertEqual(try float(0x20, 0x75, 0x38, 0x7B), .finite(3_700_000e123))
    }

    func testFLOAT_specialValues() throws {
        XCTAssertEqual(try float(0xFF, 0xFF, 0x7F, 0x00), .notANumber)
        XCTAssertEqual(try float(0x00, 0x00, 0x80, 0x00), .notAtThisResolution)
        XCTAssertEqual(try float(0xFE, 0xFF, 0x7F, 0x00), .positiveInfinity)
        XCTAssertEqual(try float(0x02, 0x00, 0x80, 0x00), .negativeInfinity)
        XCTAssertEqual(try float(0x01, 0x00, 0x80, 0x00), .reserved)
    }

    /// Each number is the Double nearest to its decimal text.
    func testSFLOAT_ofEveryWord_isTheNearestDouble() {
        for word in UInt16.min...UInt16.max {
            guard let value = MedicalFloat(sfloat: word).value else { continue }
            let mantissa = Int(Int16(bitPattern: word << 4) >> 4)
            let exponent = Int(Int16(bitPattern: word) >> 12)
            XCTAssertEqual(value, Double("\(mantissa)e\(exponent)"))
        }
    }
}
