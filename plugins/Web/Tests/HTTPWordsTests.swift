import XCTest

@testable import Web

/// Tests messages that name commands, as a client of HTTP reads them.
final class HTTPWordsTests: XCTestCase {
    func testCommand_becomesTheOperation() {
        for (command, operation) in [
            ("workout start", "`POST /v1/workout/start`"),
            ("workout stop --person Ada L", #"`POST /v1/workout/stop {"person":"Ada L"}`"#),
            ("workout show", "`GET /v1/workouts`"),
            (
                "access request --read heartRate,stepCount",
                #"`POST /v1/access {"read":["heartRate","stepCount"]}`"#
            ),
            ("add bodyMass VALUE kg", "`POST /v1/records`"),
            ("import --person ada", #"`POST /v1/imports` with `person` "ada""#),
            ("query heartRate", "`GET /v1/samples`"),
            ("status", "`GET /v1/status`"),
        ] {
            XCTAssertEqual(HTTPWords.text("do: `pulsegate \(command)`; ok"), "do: \(operation); ok")
        }
    }

    func testCommandWithoutAnOperation_isOneOfTheGatewaysMachine() {
        XCTAssertEqual(
            HTTPWords.text("set it with `pulsegate people set NAME --sex SEX`"),
            "set it with `pulsegate people set NAME --sex SEX` on the gateway's machine")
        XCTAssertEqual(
            HTTPWords.text("`pulsegate statistics`"),
            "`pulsegate statistics` on the gateway's machine")
    }

    func testOtherText_staysAsItIs() {
        for text in [
            "", "no command", "unknown person `eve`; known: ada", "`", "a ` b", "`a` b `c", "``",
            "the pulsegate status", "`pulsegate status",
        ] {
            XCTAssertEqual(HTTPWords.text(text), text)
        }
        XCTAssertEqual(
            HTTPWords.text("`bucket`: use `pulsegate query` or `x`"),
            "`bucket`: use `GET /v1/samples` or `x`")
    }

    func testErrorOfTheGateway_hasTheWordsOfHTTP() {
        let line = #"{"error":"no active workout; start one: `pulsegate workout start`"}"#
        XCTAssertEqual(
            Problem(answer: Array(line.utf8))?.detail,
            "no active workout; start one: `POST /v1/workout/start`")
        let list = LineList(key: "records", end: "query").format
        let error = #"{"error":"see `pulsegate status`","code":"failure"}"#
        XCTAssertEqual(
            String(decoding: list.convert(Array(error.utf8)[...], 3), as: UTF8.self),
            #"],"code":"failure","error":"see `GET /v1/status`"}"#)
    }
}
