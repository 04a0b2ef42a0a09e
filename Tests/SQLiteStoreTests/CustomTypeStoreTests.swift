import HealthModel
import SQLiteStore
import XCTest

/// Samples of types that are not in the standard table.
final class CustomTypeStoreTests: StoreTestCase {
    private func skin(
        _ unit: HealthModel.Unit = .degreeCelsius,
        _ style: QuantityType.AggregationStyle = .discreteArithmetic
    ) throws -> QuantityType {
        try QuantityType(custom: "skinTemperature", aggregationStyle: style, unit: unit)
    }

    private func sample(_ type: QuantityType) throws -> QuantitySample {
        try QuantitySample(
            id: RecordID(high: 7, low: 1), type: type, start: instant(1), end: instant(1),
            quantity: Quantity(91.4, Unit(parsing: "degF")))
    }

    /// The sample as it is read when its type is no longer declared.
    private func undeclared() throws -> QuantitySample {
        var line: [UInt8] = []
        RecordEncoder.append(.sample(try sample(skin())), to: &line)
        var decoder = RecordDecoder(allowingUndeclared: true)
        guard case .sample(let sample) = try decoder.decode(line) else {
            throw RecordDecodingError.missingKey("sample")
        }
        return sample
    }

    func testSamples_ofACustomType_areStoredAndFound() async throws {
        let store = try SQLiteStore(path: path)
        _ = try await store.save([.sample(try sample(skin()))])
        let found = try await store.samples(matching: SampleQuery(type: skin()))
        XCTAssertEqual(found, [try sample(skin())])
    }

    func testSamples_ofATypeThatNothingDeclares_areStored() async throws {
        let store = try SQLiteStore(path: path)
        _ = try await store.save([.sample(try undeclared())])
        let found = try await store.samples(matching: SampleQuery(type: skin()))
        XCTAssertEqual(found, [try sample(skin())], "it is declared again")
    }

    func testQuery_whenTheTypeIsDeclaredDifferently_reportsIt() async throws {
        let store = try SQLiteStore(path: path)
        _ = try await store.save([.sample(try sample(skin()))])
        for other in [try skin(.meter), try skin(HealthModel.Unit(parsing: "K"), .cumulative)] {
            do {
                _ = try await store.samples(matching: SampleQuery(type: other))
                XCTFail("it was read")
            } catch let error as SQLiteStoreError {
                XCTAssertEqual(
                    error,
                    .incompatibleDeclaration(type: "skinTemperature", unit: "degF", path: path))
            }
        }
    }
}
