import GatewayCore
import GatewayTesting
import HTTPTesting
import HealthModel
import Synchronization
import XCTest

/// Tests a server that rejects the first records.
final class HTTPSinkFirstRejectionTests: SinkTestCase {
    /// As it is with a wrong `url`: few records come at once, and none of them may be put aside.
    func testFirstRecords_thatAreRejected_blockTheSink_andStoredWhenItIsFixed() async throws {
        let isFixed = Mutex(false)
        let server = try ScriptedHTTPServer { _, _ in
            .decide { _ in
                .answer(ScriptedAnswer(status: isFixed.withLock { $0 } ? 204 : 400))
            }
        }
        let sink = try makeSink(at: server)
        let records = try records(60)
        for count in [1, 2, 3, 3] {
            let reason = try holdReason(await failure(of: sink, Array(records[..<count])))
            XCTAssertTrue(reason.contains("none accepted since the start"), reason)
            XCTAssertTrue(reason.contains("`url`"), reason)
            XCTAssertTrue(reason.contains("whenAllRejected: \"reject\""), reason)
        }
        isFixed.withLock { $0 = true }
        let before = server.counts.requests
        try await sink.write(Array(records[..<4]))
        XCTAssertEqual(try rejected().count, 0)
        let last = server.requests[before...].flatMap(\.ids)
        XCTAssertEqual(last, records[..<4].map(\.id.description))
    }

    func testFirstRecord_thatIsRejected_isMovedAsideWhenAnotherOneIsTaken() async throws {
        let repository = StrictRepository(refusing: [Examples.id(0)])
        let sink = try makeSink(at: try repository.makeServer())
        let records = try records(3)
        _ = try holdReason(await failure(of: sink, Array(records[..<1])))
        let error = try await failure(of: sink, records)
        guard case .rejected([Examples.id(0)], _) = error else {
            return XCTFail("\(String(describing: error))")
        }
        XCTAssertEqual(repository.accepted, records[1...].map(\.id.description))
        XCTAssertEqual(try rejectedIDs(), [Examples.id(0).description])
    }

    /// After a reload that failed a former runner may still be at work with the same sink.
    func testSecondWrite_whileTheFirstIsOnItsWay_waitsForAnotherTry() async throws {
        let server = try ScriptedHTTPServer { _, _ in .silence }
        let sink = try makeSink(at: server)
        let records = try records(1)
        let first = Task { try await sink.write(records) }
        try await server.wait { $0.requests == 1 }
        let error = try await failure(of: sink, records)
        guard case .retry(let reason, nil) = error else {
            return XCTFail("\(String(describing: error))")
        }
        XCTAssertTrue(reason.contains("still being sent"), reason)
        XCTAssertEqual(server.counts.requests, 1)
        first.cancel()
        _ = await first.result
    }
}
