import GatewayCore
import GatewayTesting
import HTTPClient
import HTTPTesting
import HealthModel
import Readings
import XCTest

@testable import HTTPSink

/// Tests the action for each response, and without a response.
final class HTTPSinkResponseTests: SinkTestCase {
    func testWrite_sendsTheBatchAsTheContractSays() async throws {
        let server = try ScriptedHTTPServer()
        try writeSecret("s3cret-token\n", to: "repo.token")
        let sink = try makeSink(
            at: server, "token: { file: \"repo.token\" }, headers: { \"X-Gym\": \"north\" }")

        try await sink.write(try Examples.three())

        let request = try XCTUnwrap(server.requests.first)
        XCTAssertEqual(server.requests.count, 1)
        XCTAssertEqual(request.method, "POST")
        XCTAssertEqual(request.target, "/v1/samples")
        XCTAssertEqual(request["Content-Type"], "application/json")
        XCTAssertEqual(request["User-Agent"], "pulsegate/1.2.3")
        XCTAssertEqual(request["Authorization"], "Bearer s3cret-token")
        XCTAssertEqual(request["X-Gym"], "north")
        let lines = Examples.lines(try Examples.three())
        XCTAssertEqual(request.body, RequestFormat.json.body(of: lines).bytes)
        XCTAssertEqual(try rejected().count, 0)
        XCTAssertFalse(logged.text.contains("s3cret"), logged.text)
    }

    func testWrite_ofEachFormat_sendsItsBodyAndType() async throws {
        for format in RequestFormat.allCases {
            let server = try ScriptedHTTPServer()
            let sink = try makeSink(at: server, "format: \"\(format.rawValue)\"")

            try await sink.write(try Examples.three())

            let request = try XCTUnwrap(server.requests.first)
            XCTAssertEqual(request["Content-Type"], format.contentType)
            XCTAssertEqual(
                request.body, format.body(of: Examples.lines(try Examples.three())).bytes)
        }
    }

    func testStatus200To299_isStored() async throws {
        for status in [200, 201, 202, 204, 207, 299] {
            let server = try ScriptedHTTPServer { _, _ in
                .answer(ScriptedAnswer(status: status, body: "x"))
            }
            let error = try await failure(of: try makeSink(at: server), try records(3))
            XCTAssertNil(error, "\(status)")
        }
    }

    func testStatusThatMayPass_isTriedAgainByRetryAfter() async throws {
        for status in [408, 425, 429, 500, 501, 502, 503, 504, 507, 599] {
            let server = try ScriptedHTTPServer { number, _ in
                let headers = number == 1 ? [("Retry-After", "17")] : []
                return .answer(ScriptedAnswer(status: status, headers: headers))
            }
            let sink = try makeSink(at: server)
            for after in [17.0, nil] {
                let error = try await failure(of: sink, try records(3))
                guard case .retry(let reason, after) = error else {
                    return XCTFail("\(status): \(String(describing: error))")
                }
                XCTAssertTrue(reason.contains("status \(status)"), reason)
            }
            XCTAssertEqual(server.counts.requests, 2)
        }
    }

    func testStatusOfARefusal_refusesTheRecord_andKeepsTheAnswer() async throws {
        for status in [400, 409, 413, 422] {
            let server = try ScriptedHTTPServer { _, _ in
                .answer(ScriptedAnswer(status: status, body: "no \u{1B}[31m such\r\n\u{202E} type"))
            }
            let sink = try makeSink(at: server, "whenAllRejected: \"reject\"")
            let error = try await failure(of: sink, try records(1))

            guard case .rejected(let ids, let reason) = error else {
                return XCTFail("\(status): \(String(describing: error))")
            }
            XCTAssertEqual(ids, [Examples.id(0)])
            XCTAssertTrue(reason.contains("status \(status)"), reason)
            XCTAssertTrue(reason.contains(rejectPath), reason)
            XCTAssertFalse(reason.contains("such"), reason)
            let object = try XCTUnwrap(try rejected().last)
            XCTAssertEqual(object["status"] as? Int, status)
            XCTAssertEqual(object["answer"] as? String, "no [31m such type")
            XCTAssertEqual(
                object["at"] as? String, clock.epoch().instant(at: clock.now()).description)
            let record = try XCTUnwrap(object["record"] as? [String: Any])
            XCTAssertEqual(record["id"] as? String, Examples.id(0).description)
            XCTAssertEqual(record["value"] as? Double, 60)
        }
        XCTAssertEqual(try folder.permissions()["repository.rejected.ndjson"], 0o600)
    }

    func testOtherStatus_blocksWithTheRemedy() async throws {
        let words = [
            401: "`token`", 402: "`format`", 403: "`token`", 404: "`url`", 405: "`url`",
            406: "`format`", 410: "`url`", 415: "`format`", 418: "`url`", 451: "`url`",
            300: "`url`", 304: "`url`",
        ]
        for (status, word) in words {
            let server = try ScriptedHTTPServer { _, _ in .answer(ScriptedAnswer(status: status)) }
            let sink = try makeSink(at: server)
            let reason = try holdReason(await failure(of: sink, try records(3)))
            XCTAssertTrue(reason.contains("status \(status)"), reason)
            XCTAssertTrue(reason.contains(word), reason)
            XCTAssertEqual(server.counts.requests, 1)
        }
        XCTAssertEqual(try rejected().count, 0)
    }

    func testRedirect_blocks_andTheOtherServerSeesNothing() async throws {
        for status in [301, 302, 303, 307, 308] {
            let other = try ScriptedHTTPServer()
            let server = try ScriptedHTTPServer { _, _ in
                .redirect(status, to: other.url("/secret/path?key=abc"))
            }
            try writeSecret("s3cret-token", to: "repo.token")
            let sink = try makeSink(at: server, "token: { file: \"repo.token\" }")

            let reason = try holdReason(await failure(of: sink, try records(3)))

            XCTAssertTrue(reason.contains("http://127.0.0.1:\(other.port)"), reason)
            XCTAssertFalse(reason.contains("secret"), reason)
            XCTAssertEqual(other.counts.connections, 0)
        }
    }

    func testRedirect_toWhatIsNoURL_reportsNothingOfIt() async throws {
        let cases = [
            ("/other", "to another path)"), ("//evil", "to another location)"),
            ("http://me:hunter2@127.0.0.1:9/", "to another location)"),
            ("javascript:alert(1)", "to another location)"),
            ("\u{1B}[2J", "to another location)"), ("", "to another location)"),
        ]
        for (location, words) in cases {
            let server = try ScriptedHTTPServer { _, _ in .redirect(302, to: location) }
            let reason = try holdReason(
                await failure(of: try makeSink(at: server), try records(1)))
            XCTAssertTrue(reason.hasSuffix(words), reason)
            XCTAssertFalse(reason.contains("hunter2"), reason)
        }
    }

    func testNoResponse_isTriedAgain_withTheSameBodyAndKey() async throws {
        let chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
        let texts = [
            "garbage\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf",
            chunked + "zz\r\nhalf", chunked + "4\r\nhalf\r\n", chunked + "8\r\nhalf",
        ]
        let faults: [ScriptedReaction] =
            [
                .close, .reset, .cut(ScriptedAnswer(body: "half"), after: 46), .endlessHeaders,
            ] + texts.map { .bytes(Array($0.utf8)) }
        for fault in faults {
            // A connection that is closed is tried once more by the client itself.
            let server = try ScriptedHTTPServer { number, _ in number < 3 ? fault : .answer() }
            let sink = try makeSink(at: server)
            var failures = 0
            while let error = try await failure(of: sink, try records(3)) {
                guard case .retry(_, nil) = error else { return XCTFail("\(error)") }
                failures += 1
            }
            XCTAssertGreaterThan(failures, 0)
            let requests = server.requests
            XCTAssertEqual(Set(requests.map(\.body)).count, 1)
            XCTAssertEqual(Set(requests.map { $0["Idempotency-Key"] }).count, 1)
        }
    }

    func testNobodyThere_orNoResponseInTime_isTriedAgain() async throws {
        let server = try ScriptedHTTPServer { _, _ in .silence }
        let sink = try makeSink(at: server, "timeout: 1")
        let late = try await failure(of: sink, try records(1))
        guard case .retry(_, nil) = late else { return XCTFail("\(String(describing: late))") }
        server.stop()
        let absent = try await failure(of: sink, try records(1))
        guard case .retry(_, nil) = absent else { return XCTFail("\(String(describing: absent))") }
        let nowhere = try await failure(
            of: try makeSink("url: \"http://no-such-host.invalid/\""), try records(1))
        guard case .retry(_, nil) = nowhere else {
            return XCTFail("\(String(describing: nowhere))")
        }
    }

    func testSlowResponse_isWaitedFor() async throws {
        let server = try ScriptedHTTPServer { _, _ in
            .answer(ScriptedAnswer(body: "slow")).dripping(secondsPerByte: 0.001)
        }
        let error = try await failure(of: try makeSink(at: server), try records(1))
        XCTAssertNil(error)
    }

    func testEndlessBody_countsByItsStatus() async throws {
        let server = try ScriptedHTTPServer { _, _ in .endlessBody(status: 422) }
        let sink = try makeSink(at: server, "whenAllRejected: \"reject\"")
        let error = try await failure(of: sink, try records(1))
        guard case .rejected = error else { return XCTFail("\(String(describing: error))") }
        let answer = try XCTUnwrap(try rejected().first?["answer"] as? String)
        XCTAssertEqual(answer, String(repeating: "x", count: ResponseText.lengthLimit))
    }

    func testTakenAndThenClosed_comesAgainTheSame() async throws {
        let server = try ScriptedHTTPServer { number, _ in number == 1 ? .close : .answer() }
        let sink = try makeSink(at: server)
        let first = try await failure(of: sink, try records(5))
        guard case .retry = first else { return XCTFail("\(String(describing: first))") }
        try await sink.write(try records(5))
        XCTAssertEqual(server.requests.count, 2)
        XCTAssertEqual(server.requests[0].ids, server.requests[1].ids)
        XCTAssertEqual(
            server.requests[0]["Idempotency-Key"], server.requests[1]["Idempotency-Key"])
    }

    func testKey_isEqualForEqualBatchesOnly() async throws {
        let server = try ScriptedHTTPServer()
        try await makeSink(at: server).write(try records(3))
        try await makeSink(at: server).write(try records(3))
        try await makeSink(at: server).write(try records(4))
        let keys = server.requests.compactMap { $0["Idempotency-Key"] }
        XCTAssertEqual(keys.count, 3)
        XCTAssertEqual(keys[0], keys[1])
        XCTAssertNotEqual(keys[1], keys[2])
        XCTAssertTrue(keys[0].hasPrefix("\"") && keys[0].hasSuffix("\""), keys[0])
        XCTAssertNotNil(RecordID(uuidString: keys[0].dropFirst().dropLast()))
    }

    func testUnixSocket() async throws {
        let server = try ScriptedHTTPServer(socketPath: folder.path("repo.sock"))
        let sink = try makeSink("url: \"http://repo/v1\", socket: \"repo.sock\"")
        try await sink.write(try records(2))
        XCTAssertEqual(server.requests.first?.ids.count, 2)
        XCTAssertEqual(server.requests.first?["Host"], "repo")
    }

    func testConfigurationErrors_blocks_andTheRestIsTriedAgain() {
        for kind: HTTPError.Kind in [
            .badURL, .badRequest, .configuration, .notTrusted, .tlsFailed,
        ] {
            guard case .blocked = HTTPSink.sinkError(HTTPError(kind, "x")) else {
                return XCTFail("\(kind)")
            }
        }
        for kind: HTTPError.Kind in [
            .cannotResolve, .cannotConnect, .timedOut, .connectionLost, .badResponse,
            .responseTooLarge, .failed,
        ] {
            guard case .retry(_, nil) = HTTPSink.sinkError(HTTPError(kind, "x")) else {
                return XCTFail("\(kind)")
            }
        }
    }

    func testCertificateThatCannotBeRead_blocks_andCheckReportsIt() async throws {
        let sink = try makeSink("url: \"https://127.0.0.1:1/\", ca: \"none.pem\"")
        let reason = try holdReason(await failure(of: sink, try records(1)))
        XCTAssertTrue(reason.contains("none.pem"), reason)
        XCTAssertThrowsError(try sink.check()) { error in
            XCTAssertTrue("\(error)".hasPrefix("sinks.repository: "), "\(error)")
        }
    }

    func testUnreadableLines_goToTheFile_andTheRestIsSent() async throws {
        let server = try ScriptedHTTPServer()
        let sink = try makeSink(at: server)
        let good = Examples.lines(try records(2))
        let lines = RecordLines(Array("no record\n".utf8) + good.bytes + Array("{\"id\":1\n".utf8))

        for _ in 0..<2 {
            do {
                try await sink.write(lines)
                XCTFail("all of it was taken")
            } catch SinkError.rejected(let ids, _) {
                XCTAssertEqual(ids, [], "the runner counts what is no record")
            }
        }

        XCTAssertEqual(server.requests.map { $0.ids.count }, [2, 2])
        let kept = ["no record", "{\"id\":1"]
        XCTAssertEqual(try rejected().map { $0["line"] as? String }, kept + kept)
        XCTAssertEqual(
            logged.text.split(separator: "invalid records written").count, 2, logged.text)
        XCTAssertFalse(logged.text.contains("{\"id\":1"), logged.text)
    }

    func testWhatTheFormatLeavesOut_countsAsDelivered_withoutARequest() async throws {
        let server = try ScriptedHTTPServer()
        let sink = try makeSink(at: server, "format: \"fhir\"")
        try await sink.write([Examples.event()])
        XCTAssertEqual(server.counts.requests, 0)
        try await sink.write(try Examples.three())
        XCTAssertEqual(server.counts.requests, 1)
        XCTAssertEqual(logged.text.split(separator: "does not support").count, 2, logged.text)
    }
}
