import Foundation
import XCTest

@testable import HealthModel

/// Tests that a decoder with cached streams reads the same as a new decoder.
final class RecentFramesTests: XCTestCase {
    private func line(_ sample: QuantitySample) -> [UInt8] {
        var buffer: [UInt8] = []
        RecordEncoder.append(.sample(sample), to: &buffer)
        return buffer
    }

    private func result(
        _ line: [UInt8], _ decoder: inout RecordDecoder
    ) -> Result<Record, RecordDecodingError> {
        do throws(RecordDecodingError) {
            return .success(try decoder.decode(line))
        } catch {
            return .failure(error)
        }
    }

    private func assertReadAlike(
        _ line: [UInt8], _ knowing: inout RecordDecoder, file: StaticString = #filePath,
        at fileLine: UInt = #line
    ) {
        var fresh = RecordDecoder()
        XCTAssertEqual(
            result(line, &knowing), result(line, &fresh), String(decoding: line, as: UTF8.self),
            file: file, line: fileLine)
    }

    func testDecode_ofEveryMalformedLine_isTheSameAsOfANewDecoder() throws {
        for sample in [
            try RecordExamples.fullSample(), try RecordExamples.sample(),
            try RecordExamples.sample(metadata: RecordExamples.metadataOfEveryKind()),
        ] {
            let good = line(sample)
            var knowing = RecordDecoder()
            for byte in [UInt8(ascii: "\""), 0x20, UInt8(ascii: "1"), 0x00, 0xFF] {
                for place in good.indices {
                    _ = try knowing.decode(good)
                    var damaged = good
                    damaged[place] = byte
                    assertReadAlike(damaged, &knowing)
                    damaged.removeSubrange(place...)
                    assertReadAlike(damaged, &knowing)
                }
            }
        }
    }

    func testDecode_ofTimesThatDoNotFit_isRefusedAsBefore() throws {
        let good = String(decoding: line(try RecordExamples.sample()), as: UTF8.self)
        var knowing = RecordDecoder()
        _ = try knowing.decode(Array(good.utf8))
        for (old, new) in [
            ("18:15:01.123000001Z", "18:15:00.123Z"), ("18:15:01.123000001Z", "18:14:00Z"),
            ("1.5", "1e999"), ("1.5", "null"), ("1.5", "-0"), ("00Z", "00+01:00"), ("{", " { "),
        ] {
            let changed = good.replacingOccurrences(of: old, with: new)
            assertReadAlike(Array(changed.utf8), &knowing)
        }
    }

    func testDecode_ofMoreStreamsThanAreCached_readsAllOfThem() throws {
        var knowing = RecordDecoder()
        for round in 0..<3 {
            for number in 0..<20 {
                let device = Device(localIdentifier: "device \(number)")
                let sample = try RecordExamples.sample(Double(round), device: device)
                XCTAssertEqual(try knowing.decode(line(sample)), .sample(sample))
            }
        }
    }
}
