import Bluetooth
import GatewayTesting
import Readings
import XCTest

@testable import HeartRate

final class HeartRateConformanceTests: XCTestCase {
    func testProfile_keepsTheContract() {
        let findings = GATTProfileConformance.findings(
            for: HeartRateProfile(),
            values: [
                BluetoothUUID(0x2A37): [
                    bytes("06 48"), bytes("1E 4B FF FF 00 04"), bytes("11 3C 00 00 04 10 04"),
                ],
                BluetoothUUID(0x2A38): [bytes("01")],
            ])
        XCTAssertEqual(findings, [])
    }

    func testFactory_keepsTheContract() {
        XCTAssertEqual(GATTProfileConformance.findings(for: HeartRateProfile.factory), [])
    }
}
