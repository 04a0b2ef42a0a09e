import HealthModel
import XCTest

@testable import RecordTables

final class RecordCSVTests: XCTestCase {
    func testColumns_selectAndOrderFields() throws {
        let start = Instant(nanosecondsSince1970: 1_795_000_000_000_000_000)
        let sample = try QuantitySample(
            id: RecordID.make(start: start, device: "d", stream: "s", key: 1), type: .heartRate,
            start: start, end: start, quantity: Quantity(60, .countPerMinute), person: "ada",
            device: Device(name: "A, B", localIdentifier: "d"))
        let csv = RecordCSV(.quantity(.heartRate), columns: ["value", "deviceName", "start"])
        XCTAssertEqual(csv.header, "value,deviceName,start\r\n")
        XCTAssertEqual(csv.lines(.sample(sample)), "60,\"A, B\",2026-11-18T11:06:40.000Z\r\n")
    }

    func testNames_ofEachType_areTheFieldsOfALine() throws {
        let start = Instant(nanosecondsSince1970: 1_795_000_000_000_000_000)
        let event = DeviceEvent(
            id: RecordID.make(start: start, device: "d", stream: "s", key: 1), at: start,
            device: Device(localIdentifier: "d"), state: DeviceState(battery: 0.5))
        let csv = RecordCSV(nil)
        XCTAssertEqual(
            csv.header.split(separator: ",").count, RecordCSV.names(of: nil).count)
        XCTAssertEqual(
            csv.lines(.event(event)).filter { $0 == "," }.count,
            RecordCSV.names(of: nil).count - 1)
        XCTAssertEqual(RecordCSV(nil, columns: ["battery"]).lines(.event(event)), "0.5\r\n")
    }
}
