import Bluetooth
import GatewayCore
import GatewayTesting
import Readings
import XCTest

@testable import HeartRate

final class HeartRateConformanceTests: XCTestCase {
    func testAdapter_keepsTheContractOnEveryChannel() {
        let values: [(BluetoothUUID, String)] = [
            (BluetoothUUID(0x2A37), "06 48"), (BluetoothUUID(0x2A38), "01"), (.batteryLevel, "55"),
        ]
        for (characteristic, value) in values {
            let findings = AdapterConformance.findings(
                for: bytes(value), on: Channel(characteristic),
                makeAdapter: { GATTAdapter(profiles: [HeartRateProfile()]) })
            XCTAssertEqual(findings.map(\.description), [], "\(characteristic)")
        }
    }
}
