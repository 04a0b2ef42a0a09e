import XCTest

@testable import HealthModel

/// Samples of one stream share what they have in common, and nobody can tell.
final class SharedOriginTests: XCTestCase {
    private let start = Instant(nanosecondsSince1970: 1_790_000_000_000_000_000)

    /// The parts that samples have in common.
    private struct Parts {
        var type = QuantityType.heartRate
        var unit = Unit.countPerMinute
        var person: String? = "ada"
        var device: Device? = Device(name: "H10")
        var source: SourceRevision? = SourceRevision(name: "straps", version: "1")
        var metadata = Metadata()
    }

    private func sample(
        _ parts: Parts, sharing other: QuantitySample? = nil, seconds: Double = 0
    ) throws -> QuantitySample {
        try QuantitySample(
            sharing: other, id: RecordID(high: 1, low: 2), type: parts.type, start: start,
            end: start.adding(nanoseconds: Int64(seconds * 1e9)),
            quantity: Quantity(61, parts.unit),
            person: parts.person, device: parts.device, source: parts.source,
            metadata: parts.metadata)
    }

    private func line(_ sample: QuantitySample) -> [UInt8] {
        var bytes: [UInt8] = []
        RecordEncoder.append(.sample(sample), to: &bytes)
        return bytes
    }

    /// The parts, and others of which one differs, if only in its bytes.
    private func variants() throws -> [Parts] {
        var variants = Array(repeating: Parts(), count: 8)
        variants[1].unit = try Unit(parsing: "count/s")
        variants[2].person = nil
        variants[3].person = "adA"
        variants[4].device = Device(name: "H10", serial: "1")
        variants[5].source = nil
        variants[6].metadata = try Metadata(["note": .string("\u{e9}")])
        variants[7].metadata = try Metadata(["note": .string("e\u{301}")])
        return variants
    }

    func testSample_thatSharesWithAnyOther_isTheSameAsOneThatDoesNot() throws {
        let variants = try variants()
        for (number, parts) in variants.enumerated() {
            let alone = try sample(parts)
            for (other, otherParts) in variants.enumerated() {
                let shared = try sample(parts, sharing: sample(otherParts))
                XCTAssertEqual(shared, alone, "\(number) \(other)")
                XCTAssertEqual(shared.hashValue, alone.hashValue)
                XCTAssertEqual(line(shared), line(alone), "\(number) \(other)")
                XCTAssertEqual(
                    try alone.isOfSameStream(as: sample(otherParts)), number == other,
                    "\(number) \(other)")
            }
        }
    }

    func testWrongParts_areRefused_whateverIsShared() throws {
        let good = try sample(Parts())
        var parts = Parts()
        parts.unit = .meter
        XCTAssertThrowsError(try sample(parts, sharing: good))
        parts = Parts()
        parts.person = "a b"
        XCTAssertThrowsError(try sample(parts, sharing: good))
        XCTAssertThrowsError(try sample(Parts(), sharing: good, seconds: -1))
    }

    /// A copy of a record is cheap because it is small and has one reference.
    func testRecord_isSmall() {
        XCTAssertLessThanOrEqual(MemoryLayout<QuantitySample>.size, 48)
        XCTAssertLessThanOrEqual(MemoryLayout<Record>.size, 56)
    }
}
