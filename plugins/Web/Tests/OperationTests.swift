import JSON
import XCTest

@testable import Web

/// Tests that requests of HTTP become those of the gateway.
final class OperationTests: XCTestCase {
    private func line(
        _ id: String, _ values: [String: String] = [:],
        _ query: [(name: String, value: String)] = [], _ body: String = ""
    ) throws -> String {
        let operation = try XCTUnwrap(Operations.all.first { $0.id == id })
        return String(
            decoding: try operation.makeRequest(values, query, Array(body.utf8)), as: UTF8.self)
    }

    private func problem(_ body: () throws -> String) -> Problem? {
        do {
            let line = try body()
            XCTFail(line)
            return nil
        } catch {
            return error as? Problem
        }
    }

    func testIDs_andPaths_areDifferent() {
        XCTAssertEqual(Set(Operations.all.map(\.id)).count, Operations.all.count)
        XCTAssertEqual(
            Set(Operations.all.map { "\($0.method) \($0.pathText)" }).count, Operations.all.count)
    }

    func testParameters_becomeFields() throws {
        XCTAssertEqual(try line("getStatus"), #"{"request":"status"}"#)
        XCTAssertEqual(
            try line(
                "listSamples", [:], [("type", "heartRate"), ("limit", "10"), ("person", "a\"b")]),
            #"{"limit":10,"person":"a\"b","request":"query","type":"heartRate"}"#)
        XCTAssertEqual(
            try line(
                "controlWorkout", ["action": "start"], [], #"{"person":"ada","plan":"{}"}"#),
            #"{"action":"start","person":"ada","plan":"{}","request":"workout"}"#)
        XCTAssertEqual(
            try line("getWorkout", [:], [("person", "ada")]),
            #"{"action":"status","person":"ada","request":"workout"}"#)
    }

    /// A client cannot name another request, nor what the operation sets itself.
    func testKeysOfTheGateway_areNotOpen() {
        for body in [
            #"{"request":"reload"}"#, #"{"action":"discard"}"#, #"{"person":"a","person":"b"}"#,
            "[]", "1", "{", "null", "{\"person\":\u{0}}",
        ] {
            XCTAssertEqual(
                problem { try line("controlWorkout", ["action": "stop"], [], body) }?.status, 400,
                body)
        }
        XCTAssertEqual(problem { try line("getStatus", [:], [("request", "x")]) }?.status, 400)
    }

    func testWrongParameters_areRefusedByName() {
        XCTAssertEqual(problem { try line("listSamples") }?.key, "type")
        for limit in ["0", "10001", "x", "", "1.5", "99999999999999999999"] {
            let problem = problem {
                try line("listSamples", [:], [("type", "heartRate"), ("limit", limit)])
            }
            XCTAssertEqual(problem?.key, "limit")
        }
        let twice = problem {
            try line("listSamples", [:], [("type", "heartRate"), ("type", "stepCount")])
        }
        XCTAssertEqual(twice?.key, "type")
        XCTAssertEqual(
            problem { try line("controlWorkout", ["action": "watch"]) }?.key, "action")
    }

    func testContent_thatIsNotUTF8_isRefused() throws {
        let operation = try XCTUnwrap(Operations.all.first { $0.id == "addRecords" })
        XCTAssertThrowsError(try operation.makeRequest([:], [], [0xFF]))
    }

    func testErrorOfTheGateway_becomesAProblem() {
        func status(_ line: String) -> Int? { Problem(answer: Array(line.utf8))?.status }
        XCTAssertEqual(status(#"{"error":"no","key":"person"}"#), 400)
        XCTAssertEqual(status(#"{"error":"no","code":"denied"}"#), 403)
        XCTAssertEqual(status(#"{"error":"no","code":"notAsked"}"#), 403)
        XCTAssertEqual(status(#"{"error":"no","code":"failure"}"#), 500)
        XCTAssertEqual(status(#"{"error":"no","code":"busy"}"#), 503)
        XCTAssertEqual(status(#"{"error":"no","code":"storageFull"}"#), 507)
        XCTAssertEqual(status(#"{"error":"no","code":"input"}"#), 400)
        XCTAssertEqual(status(#"{"error":"no","code":"busy"}"#), 503)
        XCTAssertEqual(status(#"{"error":"no","key":"id","code":"notFound"}"#), 404)
        XCTAssertEqual(status(#"{"error":"no","key":"since","code":"anchor"}"#), 410)
        XCTAssertEqual(status(#"{"error":"no workout"}"#), 409)
        XCTAssertNil(status(#"{"live":{}}"#))
        XCTAssertNil(status(#"{"error":"#))
    }
}
