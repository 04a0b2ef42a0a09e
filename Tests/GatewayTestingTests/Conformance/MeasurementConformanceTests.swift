import GatewayCore
import GatewayTesting
import HealthModel
import Platform
import Readings
import XCTest

/// The suite finds measurements that the converter would not recognize when they come again.
final class MeasurementConformanceTests: XCTestCase {
    private typealias Clock = MeasurementTime.Clock

    private static let second: Int64 = 1_000_000_000
    /// The time at which the suite sends, without another one.
    private static let received = Instant(nanosecondsSince1970: 1_795_000_000 * second)

    /// A thermometer that sends its memory: a byte is a number of a measurement.
    private struct Thermometer: DeviceAdapter {
        /// The time of a measurement with a number, received at a time.
        var time: @Sendable (UInt8, BootInstant) -> MeasurementTime = { number, _ in
            let age = Int64(number) * 3_600 * MeasurementConformanceTests.second
            return MeasurementTime(
                .utc(MeasurementConformanceTests.received.adding(nanoseconds: -age)))
        }
        /// Whether it numbers the readings itself, instead of the device.
        var countsItself = false
        /// Whether it leaves out what it has seen before.
        var leavesOut = false
        private var count: UInt64 = 0
        private var seen: Set<UInt8> = []

        init(_ change: (inout Thermometer) -> Void = { _ in }) { change(&self) }

        mutating func handle(_ event: AdapterEvent) -> [AdapterAction] {
            guard case .received(let bytes, _) = event.kind else { return [] }
            return bytes.compactMap { byte in
                count += 1
                if leavesOut, !seen.insert(byte).inserted { return nil }
                guard let value = try? Quantity(36 + Double(byte) / 10, .degreeCelsius) else {
                    return nil
                }
                let time = time(byte, event.receipt)
                let own = MeasurementTime(time.clock, sequence: count)
                return .reading(
                    .instant(.bodyTemperature, value, measured: countsItself ? own : time))
            }
        }
    }

    private func findings(
        _ stream: [UInt8] = [1, 2, 3], receivedAt: Instant? = nil,
        _ change: (inout Thermometer) -> Void = { _ in }
    ) -> String {
        let adapter = Thermometer(change)
        return AdapterConformance.findingsForMeasurements(stream, receivedAt: receivedAt) {
            adapter
        }.text
    }

    func testMeasurementsWithATime_haveNoFinding() {
        XCTAssertEqual(findings(), "")
        let adapter = Thermometer()
        XCTAssertEqual(AdapterConformance.findings(for: [1, 2, 3]) { adapter }.text, "")
        XCTAssertEqual(AdapterConformance.findingsForMeasurements([1, 2]) { ByteTotal() }, [])
    }

    func testAges() {
        let found = findings { adapter in
            adapter.time = { number, _ in
                MeasurementTime(.age(nanoseconds: Int64(number) * Self.second))
            }
        }
        XCTAssertEqual(
            found,
            "the age of a value of bodyTemperature has no sequence number, so that it is not "
                + "recognized when the device sends it again")
        // The age is counted from the receipt, and grows until the measurement comes again.
        let growing = findings { adapter in
            adapter.time = { number, receipt in
                MeasurementTime(.age(nanoseconds: receipt.nanoseconds), sequence: UInt64(number))
            }
        }
        XCTAssertEqual(growing, "")
    }

    func testTimesOutOfBounds_areFound() {
        let year = Double(365 * 86_400)
        for seconds in [-1.1 * 86_400, 2.1 * year, 56 * year] {
            let found = findings { adapter in
                adapter.time = { _, _ in
                    MeasurementTime(
                        .utc(Self.received.adding(nanoseconds: Int64(-seconds * 1e9))),
                        sequence: 1)
                }
            }
            XCTAssertTrue(found.contains("more than two years older than its receipt"), found)
        }
        let negative = findings { adapter in
            adapter.time = { number, _ in
                MeasurementTime(.age(nanoseconds: -Self.second), sequence: UInt64(number))
            }
        }
        XCTAssertTrue(negative.contains("more than a day newer"), negative)
        let old = Self.received.adding(nanoseconds: -3 * 365 * 86_400 * Self.second)
        let recorded = findings(receivedAt: old) { adapter in
            adapter.time = { number, _ in
                MeasurementTime(.local(old.adding(nanoseconds: -Int64(number) * Self.second)))
            }
        }
        XCTAssertEqual(recorded, "")
    }

    func testTwoMeasurementsOfOneTime_needANumber() {
        func findings(numbered: Bool) -> String {
            self.findings { adapter in
                adapter.time = { number, _ in
                    MeasurementTime(.utc(Self.received), sequence: numbered ? UInt64(number) : nil)
                }
            }
        }
        XCTAssertEqual(findings(numbered: true), "")
        XCTAssertEqual(
            findings(numbered: false),
            "two measurements of the stream have the same time and sequence number")
    }

    func testNumbersOfTheAdapter_areFound() {
        let found = findings { $0.countsItself = true }
        XCTAssertTrue(
            found.contains("the same message again gives other measurements, or other"), found)
        XCTAssertTrue(found.contains("sends again becomes a second record"), found)
    }

    func testTimeOfTheReceipt_isFound() {
        let found = findings { adapter in
            adapter.time = { _, receipt in
                MeasurementTime(.utc(Self.received.adding(nanoseconds: receipt.nanoseconds)))
            }
        }
        XCTAssertTrue(found.contains("sends again becomes a second record"), found)
    }

    func testMeasurementsThatTheAdapterLeavesOut_areFound() {
        XCTAssertEqual(
            findings { $0.leavesOut = true },
            "the same message again gives other measurements, or other measurement times")
    }

    func testReadingsThatDependOnEarlierAdapters_areFound() {
        let shared = SharedNumber()
        let found = AdapterConformance.findingsForMeasurements([1]) {
            let number = shared.next()
            return Thermometer { adapter in
                adapter.time = { _, _ in
                    MeasurementTime(.utc(Self.received), sequence: number)
                }
            }
        }.text
        XCTAssertEqual(found, "a new adapter reads other measurements in the same message")
    }
}
