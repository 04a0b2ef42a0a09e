import GatewayCore
import GatewayTesting
import HTTPServer
import XCTest

@testable import Web

/// Tests that lines of the gateway become events.
final class EventStreamsTests: XCTestCase {
    private func event(_ line: String) -> String {
        String(decoding: EventStreams.event(of: Array(line.utf8)[...], id: 7), as: UTF8.self)
    }

    func testLine_becomesTheEventOfItsKey() {
        XCTAssertEqual(
            event(#"{"person":{"name":"ada","heart":{"state":"lost"}}}"#),
            "event: person\nid: 7\ndata: {\"name\":\"ada\",\"heart\":{\"state\":\"lost\"}}\n\n")
        XCTAssertEqual(event(#"{"gap":3}"#), "event: gap\nid: 7\ndata: 3\n\n")
        XCTAssertEqual(event(#"{"state":{}}"#), "event: state\nid: 7\ndata: {}\n\n")
    }

    /// A later version of the gateway may send another line; it is passed on.
    func testOtherLine_isAMessage() {
        for line in ["", "{}", "[1,2]", "x", #"{"a""#] {
            XCTAssertEqual(event(line), "event: message\ndata: \(line)\n\n")
        }
    }

    func testSliceOfABuffer_isTheSame() {
        let buffer = Array(#"xx{"gap":3}yy"#.utf8)
        let event = EventStreams.event(of: buffer[2..<(buffer.count - 2)], id: 1)
        XCTAssertEqual(String(decoding: event, as: UTF8.self), "event: gap\nid: 1\ndata: 3\n\n")
    }
}
