import Foundation
import GatewayCore
import HTTPServer
import HTTPTesting
import XCTest

@testable import Web

/// Tests compressed responses, and those without content for clients that have it.
final class NegotiationTests: XCTestCase {
    private func negotiation(_ headers: [String: String], _ method: String = "GET") -> Negotiation {
        Negotiation(
            HTTPServerRequest(
                method: method, target: "/", headers: headers,
                peer: HTTPPeer(address: "127.0.0.1", isLoopback: true)))
    }

    private func bytes(of response: HTTPServerResponse) -> [UInt8] {
        guard case .bytes(let bytes) = response.body else { return [] }
        return bytes
    }

    /// Decompresses with the program gzip.
    private func decompressed(_ bytes: [UInt8]) throws -> String {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/gzip")
        process.arguments = ["-dc"]
        let (input, output) = (Pipe(), Pipe())
        (process.standardInput, process.standardOutput) = (input, output)
        try process.run()
        // They fit into the pipe.
        XCTAssertLessThan(bytes.count, 65_536)
        try input.fileHandleForWriting.write(contentsOf: Data(bytes))
        try input.fileHandleForWriting.close()
        let text = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        XCTAssertEqual(process.terminationStatus, 0)
        return String(decoding: text, as: UTF8.self)
    }

    func testAcceptEncoding_isReadAsTheStandardSays() {
        for (header, isAccepted) in [
            ("", false), ("gzip", true), ("GZIP", true), ("deflate, gzip, br", true),
            ("gzip;q=0", false), ("gzip; q=0.0, deflate", false), ("gzip;q=0.5", true),
            ("*", true), ("*;q=0", false), ("gzip;q=0, *", false), ("identity", false),
            ("xgzip", false), ("gzip;q=x", false),
        ] {
            XCTAssertEqual(negotiation(["accept-encoding": header]).acceptsGzip, isAccepted, header)
        }
        XCTAssertFalse(negotiation([:]).acceptsGzip)
    }

    func testLongContent_isCompressed_ifAccepted() throws {
        let text = String(repeating: "{\"value\":72},", count: 2_000)
        let json = [("Content-Type", "application/json")]
        let plain = negotiation([:]).response(json, Array(text.utf8))
        XCTAssertNil(plain["Content-Encoding"])
        XCTAssertEqual(bytes(of: plain), Array(text.utf8))
        XCTAssertEqual(plain["Vary"], "Accept-Encoding")
        let gzip = negotiation(["accept-encoding": "gzip"])
        let compressed = gzip.response(json, Array(text.utf8))
        XCTAssertEqual(compressed["Content-Encoding"], "gzip")
        XCTAssertLessThan(bytes(of: compressed).count, text.utf8.count / 20)
        XCTAssertEqual(try decompressed(bytes(of: compressed)), text)
        XCTAssertNotEqual(compressed["ETag"], plain["ETag"])
        let short = Array(text.utf8.prefix(1_023))
        XCTAssertNil(gzip.response(json, short)["Content-Encoding"])
        let fit = [("Content-Type", "application/vnd.ant.fit")]
        XCTAssertNil(gzip.response(fit, Array(text.utf8))["Content-Encoding"])
        // The answer to a change has no validator, and is short.
        let change = negotiation(["accept-encoding": "gzip"], "POST")
        XCTAssertNil(change.response(json, Array(text.utf8))["ETag"])
    }

    func testPieces_areOneStream() throws {
        let encoder = try XCTUnwrap(GzipEncoder())
        var generator = SystemRandomNumberGenerator()
        var (text, result): (String, [UInt8]) = ("", [])
        for _ in 0..<50 {
            let piece = String(
                repeating: "\(UInt64.random(in: 0...9_999, using: &generator)) ", count: 300)
            text += piece
            result += encoder.encode(Array(piece.utf8))
        }
        result += encoder.encode([], isEnd: true)
        XCTAssertEqual(try decompressed(result), text)
        XCTAssertEqual(try decompressed(try XCTUnwrap(GzipEncoder.encode([]))), "")
    }

    func testKnownContent_isNotSentAgain() {
        let json = [("Content-Type", "application/json")]
        let body = [UInt8](repeating: 65, count: 5_000)
        let first = negotiation([:]).response(json, body)
        let tag = first["ETag"] ?? ""
        let bare = tag.dropFirst().dropLast()
        for known in [
            tag, "W/\(tag)", "\"x\", \(tag)", "*", "\"\(bare)-gzip\"", " \(tag) , \"y\"",
        ] {
            for encoding in ["gzip", "identity"] {
                let response = negotiation(["if-none-match": known, "accept-encoding": encoding])
                    .response(json, body)
                XCTAssertEqual(response.status, 304, known)
                XCTAssertEqual(bytes(of: response), [])
                XCTAssertNil(response["Content-Encoding"])
                XCTAssertNotNil(response["ETag"])
            }
        }
        for other in ["\"x\"", String(bare), "\"\(bare)", ""] {
            XCTAssertEqual(
                negotiation(["if-none-match": other]).response(json, body).status, 200, other)
        }
        let change = negotiation(["if-none-match": "*"], "POST").response(json, body)
        XCTAssertEqual(change.status, 200)
    }

    // MARK: Answers of the gateway

    private static func records(_ count: Int) -> [UInt8] {
        let lines = (0..<count).map { "{\"id\":\($0),\"type\":\"heartRate\"}\n" }
        return Array((lines.joined() + "{\"query\":{\"records\":\(count)}}\n").utf8)
    }

    /// A list of usual length has a validator; the longest ones are sent as they are read.
    func testList_hasAValidator_unlessItIsLong() async throws {
        let gateway = FakeGateway { request, channel in
            channel.send(Self.records(request.contains("stepCount") ? 20_000 : 100))
        }
        let web = try await RunningWeb.start(gateway)
        let connection = try web.connect()
        let first = try connection.get("/v1/samples?type=heartRate")
        XCTAssertEqual(first.body.matches(of: /heartRate/).count, 100)
        let line = try XCTUnwrap(
            first.head.split(separator: "\r\n").first { $0.hasPrefix("ETag: ") })
        let again = try connection.get(
            "/v1/samples?type=heartRate", "If-None-Match: \(line.dropFirst(6))\r\n")
        XCTAssertEqual(again.status, 304)
        let long = try connection.get("/v1/samples?type=stepCount")
        XCTAssertFalse(long.head.contains("ETag"), long.head)
        XCTAssertTrue(long.head.contains("Vary: Accept-Encoding"), long.head)
        XCTAssertEqual(long.body.matches(of: /heartRate/).count, 20_000)
        XCTAssertTrue(long.body.hasSuffix("]}"))
        try await web.stop()
    }

    /// A program decompresses both kinds of answers.
    func testLists_areCompressed_ifAccepted() async throws {
        let curl = URL(fileURLWithPath: "/usr/bin/curl")
        guard FileManager.default.isExecutableFile(atPath: curl.path) else {
            throw XCTSkip("curl is missing; apt-get install curl")
        }
        let gateway = FakeGateway { request, channel in
            channel.send(Self.records(request.contains("stepCount") ? 20_000 : 100))
        }
        let web = try await RunningWeb.start(gateway)
        for (type, count) in [("heartRate", 100), ("stepCount", 20_000)] {
            let process = Process()
            process.executableURL = curl
            process.arguments = [
                "-sS", "--compressed", "-w", "\n%header{content-encoding} %{size_download}",
                "http://127.0.0.1:\(web.port)/v1/samples?type=\(type)",
            ]
            let output = Pipe()
            process.standardOutput = output
            try process.run()
            let text = String(
                decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
            process.waitUntilExit()
            XCTAssertEqual(process.terminationStatus, 0)
            XCTAssertEqual(text.matches(of: /heartRate/).count, count)
            let size = try XCTUnwrap(
                text.split(separator: " ").last.flatMap { Int($0) }, "\(text.suffix(50))")
            XCTAssertLessThan(size * 4, text.utf8.count)
        }
        try await web.stop()
    }

    func testEvents_areNeverCompressed() async throws {
        let gateway = FakeGateway(stream: FakeGateway.Stream()) { _, channel in
            channel.send(Array("{\"state\":{}}\n".utf8))
        }
        let web = try await RunningWeb.start(gateway)
        let connection = try web.connect()
        connection.send("GET /v1/live HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: gzip\r\n\r\n")
        let head = try connection.read(until: "\r\n\r\n")
        XCTAssertFalse(head.contains("Content-Encoding"), head)
        XCTAssertTrue(try XCTUnwrap(try connection.chunk()).hasPrefix("event: state\n"))
        try await web.stop()
    }

    func testPages_areCompressed_andKnownInEitherEncoding() async throws {
        let web = try await RunningWeb.start(FakeGateway { _, _ in })
        let connection = try web.connect()
        connection.send("GET /app.css HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: gzip\r\n\r\n")
        let head = try connection.read(until: "\r\n\r\n")
        XCTAssertTrue(head.contains("Content-Encoding: gzip\r\n"), head)
        let line = try XCTUnwrap(head.split(separator: "\r\n").first { $0.hasPrefix("ETag: ") })
        XCTAssertTrue(line.hasSuffix("-gzip\""), String(line))
        let other = try web.connect()
        XCTAssertEqual(
            try other.get("/app.css", "If-None-Match: \(line.dropFirst(6))\r\n").status, 304)
        let description = try other.get("/v1/openapi.json")
        XCTAssertTrue(description.head.contains("ETag: "), description.head)
        try await web.stop()
    }
}
