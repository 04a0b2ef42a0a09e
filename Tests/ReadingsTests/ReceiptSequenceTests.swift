import HealthModel
import Platform
import XCTest

@testable import Readings

final class ReceiptSequenceTests: XCTestCase {
    private let arrival = BootInstant(nanoseconds: 1_000)

    func testReadings_thatArriveTogether_areOneNanosecondApart() throws {
        var receipts = ReceiptSequence()
        let reading = Reading.instant(.heartRate, try Quantity(60, .countPerMinute))
        XCTAssertEqual(
            (0..<3).map { _ in receipts.next(arrival, for: reading).nanoseconds },
            [1_000, 1_001, 1_002])
        XCTAssertEqual(receipts.next(arrival).nanoseconds, 1_003)
    }

    /// The axes of a sensor are at the same moments; the next values of an axis are others.
    func testWaveforms_ofSeveralTypes_shareATime() throws {
        var receipts = ReceiptSequence()
        let axes = [QuantityType.accelerationX, .accelerationY, .accelerationZ].map {
            Reading.waveform(
                WaveformReading($0, values: [1], unit: .meterPerSecondSquared, perSecond: 50))
        }
        let other = Reading.instant(.heartRate, try Quantity(60, .countPerMinute))
        let times = (axes + axes + [other] + axes).map {
            receipts.next(arrival, for: $0).nanoseconds
        }
        XCTAssertEqual(
            times, [1_000, 1_000, 1_000, 1_001, 1_001, 1_001, 1_002, 1_003, 1_003, 1_003])
        let later = arrival.adding(nanoseconds: 500)
        XCTAssertEqual(
            (axes + axes).map { receipts.next(later, for: $0).nanoseconds },
            [1_500, 1_500, 1_500, 1_501, 1_501, 1_501])
    }
}
