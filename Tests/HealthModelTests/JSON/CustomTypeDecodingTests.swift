import HealthModel
import XCTest

/// Lines of records whose type is not in the standard table.
final class CustomTypeDecodingTests: XCTestCase {
    private func line(
        _ type: String = "skinTemperature", unit: String = "degF",
        start: String = "2026-11-21T18:15:00Z", end: String = "2026-11-21T18:15:00Z"
    ) -> [UInt8] {
        let text =
            #"{"id":"0198f3c2-0123-8abc-9def-00ff10203040","type":"\#(type)","start":"\#(start)","#
            + #""end":"\#(end)","value":91.5,"unit":"\#(unit)"}"#
        return Array(text.utf8)
    }

    private func types(
        _ style: QuantityType.AggregationStyle = .discreteArithmetic,
        _ unit: HealthModel.Unit = .degreeCelsius
    ) throws -> QuantityTypes {
        try QuantityTypes(
            custom: [QuantityType(custom: "skinTemperature", aggregationStyle: style, unit: unit)])
    }

    private func sample(
        _ decoder: RecordDecoder, _ line: [UInt8]
    ) throws -> QuantitySample {
        var decoder = decoder
        guard case .sample(let first) = try decoder.decode(line),
            case .sample(let second) = try decoder.decode(line)
        else { throw RecordDecodingError.missingKey("sample") }
        // The second time the line is of a cached stream.
        XCTAssertEqual(first, second)
        XCTAssertEqual(first.type.canonicalUnit, second.type.canonicalUnit)
        XCTAssertEqual(first.type.isDeclared, second.type.isDeclared)
        return first
    }

    func testDecode_whenTheDecoderKnowsTheType_itIsThatOne() throws {
        let sample = try sample(RecordDecoder(types: types()), line())
        XCTAssertEqual(sample.type.canonicalUnit, .degreeCelsius)
        XCTAssertEqual(sample.quantity.unit.string, "degF")
        XCTAssertTrue(sample.type.isDeclared)
        var encoded: [UInt8] = []
        RecordEncoder.append(.sample(sample), to: &encoded)
        XCTAssertEqual(try self.sample(RecordDecoder(types: types()), encoded), sample)
    }

    func testDecode_whenTheTypeIsUnknown_isRefused() {
        var decoder = RecordDecoder()
        XCTAssertThrowsError(try decoder.decode(line())) {
            XCTAssertEqual($0 as? RecordDecodingError, .unknownType(offset: 52))
            XCTAssertFalse("\($0)".contains("skin"))
        }
    }

    func testAllowingUndeclared_whenTheTypeIsUnknown_hasItsNameAndUnit() throws {
        let decoder = RecordDecoder(allowingUndeclared: true)
        let sample = try sample(decoder, line())
        XCTAssertEqual(sample.type.name, "skinTemperature")
        XCTAssertEqual(sample.type.canonicalUnit.string, "degF")
        XCTAssertFalse(sample.type.isDeclared)
        XCTAssertEqual(sample.quantity.value, 91.5)
        XCTAssertEqual(try self.sample(decoder, line(unit: "m")).type.canonicalUnit, .meter)
    }

    func testAllowingUndeclared_whenTheTypeHasChanged_isAccepted() throws {
        let length = RecordDecoder(types: try types(.discreteArithmetic, .meter))
        var strict = length
        XCTAssertThrowsError(try strict.decode(line()))
        let kept = RecordDecoder(
            types: try types(.discreteArithmetic, .meter), allowingUndeclared: true)
        XCTAssertFalse(try sample(kept, line()).type.isDeclared)
        XCTAssertTrue(try sample(kept, line(unit: "km")).type.isDeclared)
        // Values in degC cannot be added, values in K can.
        let counter = RecordDecoder(
            types: try types(.cumulative, HealthModel.Unit(parsing: "K")), allowingUndeclared: true)
        XCTAssertFalse(try sample(counter, line()).type.isDeclared)
        let end = "2026-11-21T18:15:01Z"
        XCTAssertTrue(try sample(counter, line(end: end)).type.isDeclared)
    }

    func testAllowingUndeclared_whenTheNameIsNotValid_orAStandardTypeDoesNotFit_isRefused() {
        for name in ["", "Skin", "skin temperature", "HKQuantityTypeIdentifierSkin", #"a\"b"#] {
            var decoder = RecordDecoder(allowingUndeclared: true)
            XCTAssertThrowsError(try decoder.decode(line(name)), name)
        }
        var decoder = RecordDecoder(allowingUndeclared: true)
        XCTAssertThrowsError(try decoder.decode(line("heartRate", unit: "m")))
        XCTAssertThrowsError(try decoder.decode(line("stepCount", unit: "count")))
    }

    func testAllowingUndeclared_whenALineThatFitsFollowsOneThatDoesNot_itsTypeIsTheDeclaredOne()
        throws
    {
        // The second time the line that does not fit is of a cached stream.
        var decoder = RecordDecoder(
            types: try types(.cumulative, .kilocalorie), allowingUndeclared: true)
        for _ in 0..<2 {
            guard case .sample(let old) = try decoder.decode(line(unit: "kcal")) else {
                return XCTFail()
            }
            XCTAssertFalse(old.type.isDeclared)
            let fitting = line(unit: "kcal", end: "2026-11-21T18:15:01Z")
            guard case .sample(let new) = try decoder.decode(fitting) else { return XCTFail() }
            XCTAssertTrue(new.type.isDeclared)
        }
    }
}
