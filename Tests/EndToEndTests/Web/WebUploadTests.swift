import Foundation
import GatewayTesting
import HTTPTesting
import XCTest

/// Files that are sent to a running gateway.
final class WebUploadTests: XCTestCase {
    private static let type = "Content-Type: application/octet-stream\r\n"
    private static let table = "type,start,end,value,unit\r\n"

    private func send(
        _ bytes: [UInt8], to web: WebGateway, _ query: String = "?name=a.file",
        _ headers: String = ""
    ) throws -> RawHTTPConnection.Response {
        let connection = try web.connect()
        connection.send(
            "POST /v1/imports\(query) HTTP/1.1\r\nHost: localhost\r\n\(Self.type)\(headers)"
                + "Content-Length: \(bytes.count)\r\n\r\n")
        connection.send(bytes)
        return try connection.response()
    }

    private func samples(_ values: [Int]) -> [UInt8] {
        let rows = values.map { value in
            "bodyMass,2026-01-0\(value)T07:00:00Z,2026-01-0\(value)T07:00:00Z,7\(value),kg\r\n"
        }
        return Array((Self.table + rows.joined()).utf8)
    }

    /// The files that wait in the data directory.
    private func waiting(_ web: WebGateway) throws -> [String] {
        let path = web.home.folder.path("data/pulsegate/uploads")
        return (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    }

    /// A workout in TCX, of a minute with a heart rate every ten seconds.
    private var workout: String {
        let points = (0..<7).map { index in
            let time = index == 6 ? "2026-01-05T10:01:00Z" : "2026-01-05T10:00:\(index)0Z"
            return "<Trackpoint><Time>\(time)</Time>"
                + "<HeartRateBpm><Value>\(120 + index)</Value></HeartRateBpm></Trackpoint>"
        }
        return """
            <?xml version="1.0" encoding="UTF-8"?>
            <TrainingCenterDatabase \
            xmlns="http://www.garmin.com/xmlschemas/TrainingCenterDatabase/v2"><Activities>
            <Activity Sport="Running"><Id>2026-01-05T10:00:00Z</Id>
            <Lap StartTime="2026-01-05T10:00:00Z"><TotalTimeSeconds>60</TotalTimeSeconds>
            <DistanceMeters>200</DistanceMeters><Calories>10</Calories><Intensity>Active</Intensity>
            <TriggerMethod>Manual</TriggerMethod><Track>\(points.joined())</Track></Lap></Activity>
            </Activities></TrainingCenterDatabase>
            """
    }

    /// The same workout again, also in another format, is recognised.
    func testWorkout_isImportedOnce() async throws {
        let web = try await WebGateway(people: "people: { ada: {} },")
        let first = try send(Array(workout.utf8), to: web, "?name=run.tcx")
        XCTAssertEqual(first.status, 200, first.body)
        XCTAssertTrue(first.body.contains(#""result":"imported""#), first.body)
        XCTAssertTrue(first.body.contains(#""file":"run.tcx""#), first.body)
        let path = web.home.folder.path("run.fit")
        let export = try await web.home.run("workout", "export", path)
        XCTAssertEqual(export.ending, .exited(0), export.error)
        let fit = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        for bytes in [Array(workout.utf8), fit] {
            let again = try send(bytes, to: web)
            XCTAssertEqual(again.status, 200, again.body)
            XCTAssertTrue(again.body.contains(#""result":"alreadyStored""#), again.body)
        }
        let list = try web.ask("GET", "/v1/workouts").body
        XCTAssertEqual(list.matches(of: /"kind":"workout"/).count, 1, list)
        XCTAssertEqual(try waiting(web), [])
        try await web.assertUnharmed()
        try await web.stop()
    }

    func testSamples_areImported_andCountedAgain() async throws {
        let web = try await WebGateway()
        let first = try send(samples([1, 2]), to: web)
        XCTAssertEqual(first.status, 200, first.body)
        XCTAssertTrue(first.body.contains(#""stored":2"#), first.body)
        let later = try send(samples([1, 2, 3]), to: web)
        XCTAssertTrue(later.body.contains(#""alreadyStored":2"#), later.body)
        XCTAssertTrue(later.body.contains(#""stored":1"#), later.body)
        let stored = try web.ask("GET", "/v1/samples?type=bodyMass").body
        XCTAssertEqual(stored.matches(of: /"value":7\d/).count, 3, stored)
        try await web.assertUnharmed()
        try await web.stop()
    }

    func testFile_thatCannotBeRead_isRefusedWithTheReason() async throws {
        let web = try await WebGateway()
        for (bytes, reason) in [
            (Array("nonsense".utf8), "a.file"), ([], "the file is empty"),
            (Array("PK\u{3}\u{4}".utf8) + [UInt8](repeating: 0, count: 100), "unzip"),
            ([0x1F, 0x8B, 8, 0] + [UInt8](repeating: 0, count: 1_000), "gunzip"),
            (Array((Self.table + "bodyMass,x,y,z,kg\r\n").utf8), "a.file"),
        ] {
            let response = try send(bytes, to: web)
            XCTAssertEqual(response.status, 400, response.body)
            XCTAssertTrue(response.body.contains(reason), response.body)
            XCTAssertFalse(response.body.contains(web.home.folder.path), response.body)
        }
        XCTAssertEqual(try send(Array("x".utf8), to: web, "?person=eve").status, 400)
        XCTAssertEqual(try waiting(web), [])
        try await web.assertUnharmed()
        try await web.stop()
    }

    /// As with the command, the person of a record need not be configured; the undo needs `--all`.
    func testRecordsOfAnotherPerson_areStored_andAnUploadIsUndone() async throws {
        let web = try await WebGateway(people: "people: { ada: {} },")
        let line =
            #"{"type":"bodyMass","value":72,"unit":"kg","start":"2026-01-01T07:00:00Z","#
            + #""end":"2026-01-01T07:00:00Z","person":"eve"}"# + "\n"
        XCTAssertEqual(try send(Array(line.utf8), to: web).status, 200)
        func stored() throws -> Int {
            let body = try web.ask("GET", "/v1/samples?type=bodyMass&person=eve").body
            return body.matches(of: /"value":72/).count
        }
        XCTAssertEqual(try stored(), 1)
        let path = try web.home.folder.write(Array(line.utf8), to: "eve.ndjson")
        let own = try await web.home.run("delete", "import", path, "--yes")
        XCTAssertTrue(own.error.contains("with --all"), own.error)
        XCTAssertEqual(try stored(), 1)
        let all = try await web.home.run("delete", "import", path, "--all", "--yes")
        XCTAssertEqual(all.ending, .exited(0), all.error)
        XCTAssertEqual(try stored(), 0)
        try await web.assertUnharmed()
        try await web.stop()
    }

    /// Each interruption of a gateway during an import left a place in a file that is gone.
    func testStart_forgetsWhereImportsOfUploadsWereInterrupted() async throws {
        let home = try Home()
        try home.configure(#"{ sources: { own: { use: "exec", command: ["/bin/cat"] } } }"#)
        try home.folder.makeFolder("data/pulsegate")
        let folder = try XCTUnwrap(realpath(home.dataDirectory, nil))
        defer { free(folder) }
        let place =
            #"{"size":9,"modified":"2026-01-01T07:00:00Z","person":"me","head":0,"offset":5,"#
            + #""line":1,"at":"2026-01-01T07:00:00Z"}"#
        let places = try home.folder.write(
            Array(
                #"{"v":1,"imports":{"\#(String(cString: folder))/uploads/ab":\#(place),"/own":\#(place)}}"#
                    .utf8), to: "data/pulsegate/imports.json")
        XCTAssertEqual(chmod(places, 0o600), 0)
        let gateway = try home.start("run")
        let isForgotten = await gateway.waits(within: 30) { _ in
            (try? String(contentsOfFile: places, encoding: .utf8))?.contains("uploads") == false
        }
        XCTAssertTrue(isForgotten)
        XCTAssertTrue(try String(contentsOfFile: places, encoding: .utf8).contains("/own"))
        await gateway.send(SIGTERM)
        let ending = try await gateway.waitForEnd(within: 10)
        XCTAssertEqual(ending, .exited(0))
    }

    /// A good file is not refused for a fault of the gateway: the client may send it again.
    func testFaultOfTheGateway_isNoWrongFile() async throws {
        let web = try await WebGateway()
        let good = try String(contentsOfFile: web.home.configurationPath, encoding: .utf8)
        try web.home.configure("{ sources: 7 }")
        let fault = try send(samples([1]), to: web)
        XCTAssertEqual(fault.status, 500, fault.body)
        XCTAssertTrue(fault.body.contains(#""code":"failure""#), fault.body)
        try web.home.configure(good)
        XCTAssertEqual(try send(samples([1]), to: web).status, 200)
        XCTAssertEqual(try waiting(web), [])
        try await web.assertUnharmed()
        try await web.stop()
    }

    func testFile_thatIsTooLong_orCutOff_leavesNothing() async throws {
        let web = try await WebGateway()
        let announced = try web.connect()
        announced.send(
            "POST /v1/imports HTTP/1.1\r\nHost: localhost\r\n\(Self.type)"
                + "Content-Length: 104857600\r\n\r\n")
        XCTAssertEqual(try announced.response().status, 413)
        let chunked = try web.connect()
        chunked.send(
            "POST /v1/imports HTTP/1.1\r\nHost: localhost\r\n\(Self.type)"
                + "Transfer-Encoding: chunked\r\n\r\n")
        let chunk = Array("100000\r\n".utf8) + [UInt8](repeating: 65, count: 1 << 20) + [13, 10]
        for _ in 0..<100 { chunked.send(chunk) }
        chunked.send("0\r\n\r\n")
        let long = try chunked.response()
        XCTAssertEqual(long.status, 413)
        XCTAssertTrue(long.body.contains("64 MiB"), long.body)
        var cut: RawHTTPConnection? = try web.connect()
        cut?.send(
            "POST /v1/imports HTTP/1.1\r\nHost: localhost\r\n\(Self.type)"
                + "Content-Length: 1000\r\n\r\nstart")
        cut = nil
        // The next one is imported after all.
        XCTAssertEqual(try send(samples([4]), to: web).status, 200)
        let start = ContinuousClock.now
        while try !waiting(web).isEmpty, ContinuousClock.now - start < .seconds(10) {
            await Task.yield()
        }
        XCTAssertEqual(try waiting(web), [])
        try await web.assertUnharmed()
        try await web.stop()
    }

    func testToken_needsAccessToShareEverything() async throws {
        let web = try await WebGateway()
        let header = "Authorization: Bearer \(WebGateway.token)\r\n"
        func status(_ query: String = "", _ header: String) throws -> Int {
            try send(samples([5]), to: web, query, header).status
        }
        func grant(_ words: String...) async throws {
            let outcome = try await web.home.run(["access", "grant", "web:-:phone"] + words)
            XCTAssertEqual(outcome.ending, .exited(0), outcome.error)
        }
        XCTAssertEqual(try status("", header), 403)
        try await grant("--read", "all")
        XCTAssertEqual(try status("", header), 403)
        try await grant("--share", "bodyMass")
        XCTAssertEqual(try status("", header), 403)
        try await grant("--share", "all")
        // A token in the address is for reading only, whatever is granted.
        XCTAssertEqual(try status("?token=\(WebGateway.token)", ""), 401)
        XCTAssertEqual(try status("", header), 200)
        XCTAssertEqual(try waiting(web), [])
        try await web.assertUnharmed()
        try await web.stop()
    }

    func testSimulation_importsNothing() async throws {
        let home = try Home()
        let port = try WebGateway.freePort()
        try home.configure(
            "{ services: { web: { use: \"web\", listen: \"127.0.0.1:\(port)\" } } }")
        let gateway = try home.start("run", "--simulate", "--web")
        try await gateway.waitForLines(with: "web page", on: .error)
        let connection = try RawHTTPConnection(port: port)
        connection.send(
            "POST /v1/imports HTTP/1.1\r\nHost: localhost\r\n\(Self.type)Content-Length: 1\r\n\r\nx"
        )
        let response = try connection.response()
        XCTAssertEqual(response.status, 409, response.body)
        XCTAssertTrue(response.body.contains("simulation"), response.body)
        await gateway.send(SIGTERM)
        let ending = try await gateway.waitForEnd(within: 10)
        XCTAssertEqual(ending, .exited(0))
    }
}
