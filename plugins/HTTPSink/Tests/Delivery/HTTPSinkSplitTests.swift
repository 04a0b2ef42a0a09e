import GatewayCore
import GatewayTesting
import Glibc
import HTTPClient
import HTTPTesting
import HealthModel
import Synchronization
import XCTest

@testable import HTTPSink

/// Tests that rejected records of a batch are found and the rest is stored.
final class HTTPSinkSplitTests: SinkTestCase {
    private func ids(_ numbers: some Sequence<Int>) -> [RecordID] { numbers.map(Examples.id) }

    /// Writes until the batch is settled; returns the rejected ids and the number of attempts.
    private func writeAll(
        _ sink: HTTPSink, _ records: [Record]
    ) async throws -> (rejected: Set<RecordID>, tries: Int) {
        for tries in 1...1_000 {
            switch try await failure(of: sink, records) {
            case nil: return ([], tries)
            case .rejected(let ids, _): return (ids, tries)
            case .retry: continue
            case .storageFull(let reason), .blocked(let reason), .closed(let reason):
                XCTFail(reason)
                return ([], tries)
            }
        }
        XCTFail("it is never dealt with")
        return ([], 0)
    }

    /// Rejected records that cannot be written for lack of space wait, and are written once there is some.
    func testRejected_onAFullDisk_waitForSpace() async throws {
        guard mount("tmpfs", folder.path, "tmpfs", 0, "size=64k") == 0 else {
            throw XCTSkip("needs the right to mount a tmpfs; run the tests as root")
        }
        defer { umount2(folder.path, Int32(MNT_DETACH)) }
        let stuffing = open(folder.path("stuffing"), O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        let zeros = [UInt8](repeating: 0, count: 4_096)
        while write(stuffing, zeros, zeros.count) > 0 {}
        close(stuffing)
        let repository = StrictRepository(refusing: ids([1]))
        let sink = try makeSink(at: try repository.makeServer())
        guard case .storageFull(let reason)? = try await failure(of: sink, try records(4)) else {
            return XCTFail("there was space")
        }
        XCTAssertTrue(reason.contains("cannot write rejected records"), reason)
        try folder.remove("stuffing")
        let outcome = try await writeAll(sink, try records(4))
        XCTAssertEqual(outcome.rejected, [Examples.id(1)])
        XCTAssertEqual(try rejectedIDs(), [Examples.id(1).description])
    }

    func testOneRejected_atEveryPlace() async throws {
        for place in 0..<16 {
            let repository = StrictRepository(refusing: ids([place]))
            let server = try repository.makeServer()
            let outcome = try await writeAll(try makeSink(at: server), try records(16))

            XCTAssertEqual(outcome.rejected, [Examples.id(place)])
            XCTAssertEqual(
                repository.accepted, ids((0..<16).filter { $0 != place }).map(\.description))
            XCTAssertLessThanOrEqual(repository.attempts, 9)
        }
        XCTAssertEqual(try rejectedIDs(), ids(0..<16).map(\.description))
    }

    func testManyRejected_inALargeBatch() async throws {
        let refused = [0, 1, 99, 100, 101, 500, 998, 999]
        let repository = StrictRepository(refusing: ids(refused), status: 400)
        let server = try repository.makeServer()
        let outcome = try await writeAll(try makeSink(at: server), try records(1_000))

        XCTAssertEqual(outcome.rejected, Set(ids(refused)))
        XCTAssertEqual(repository.accepted.count, 992)
        XCTAssertEqual(Set(repository.accepted).count, 992)
        XCTAssertEqual(try rejectedIDs(), ids(refused).map(\.description))
        XCTAssertLessThan(repository.attempts, 20 * refused.count)
    }

    func testAllRejected_ofASmallBatch_whenSetToReject_allGoToTheFile() async throws {
        let repository = StrictRepository(refusing: ids(0..<16))
        let outcome = try await writeAll(
            try makeSink(at: try repository.makeServer(), "whenAllRejected: \"reject\""),
            try records(16))
        XCTAssertEqual(outcome.rejected, Set(ids(0..<16)))
        XCTAssertEqual(repository.attempts, 31)
        XCTAssertEqual(try rejectedIDs().count, 16)
    }

    func testEachFormat_splitsAndSendsTheRest() async throws {
        for format in RequestFormat.allCases {
            // It refuses a body of more than one record, and takes all of those.
            let sizes = Mutex<Set<Int>>([])
            let largest = format.body(of: Examples.lines(try records(1))).bytes.count * 3 / 2
            let server = try ScriptedHTTPServer { _, _ in
                .decide { request in
                    guard request.bodyCount > largest else {
                        sizes.withLock { _ = $0.insert(request.bodyCount) }
                        return .answer()
                    }
                    return .answer(ScriptedAnswer(status: 413))
                }
            }
            let sink = try makeSink(at: server, "format: \"\(format.rawValue)\"")
            try await sink.write(try records(5))
            XCTAssertEqual(server.counts.requests, 9, format.rawValue)
            XCTAssertFalse(sizes.withLock { $0.isEmpty })
        }
        XCTAssertEqual(try rejected().count, 0)
    }

    /// The Nth request fails with 503, for every N until none does.
    func testInterruptedAtEveryRequest_eachRecordIsTakenOnceOrRejectedOnce() async throws {
        let refused = [0, 3, 4, 11]
        for failing in 1...100 {
            let repository = StrictRepository(refusing: ids(refused)) { $0 == failing }
            let server = try repository.makeServer()
            let outcome = try await writeAll(try makeSink(at: server), try records(12))

            XCTAssertEqual(outcome.rejected, Set(ids(refused)), "request \(failing)")
            XCTAssertEqual(
                repository.accepted,
                ids((0..<12).filter { !refused.contains($0) }).map(\.description),
                "request \(failing)")
            XCTAssertEqual(try rejectedIDs(), ids(refused).map(\.description))
            try folder.remove("repository.rejected.ndjson")
            if outcome.tries == 1 {
                XCTAssertGreaterThan(failing, 10)
                return
            }
        }
        XCTFail("the failing request was always reached")
    }

    func testInterrupted_andThenJustTheBeginning_continues() async throws {
        let repository = StrictRepository(refusing: ids([1, 6])) { $0 == 8 }
        let server = try repository.makeServer()
        let sink = try makeSink(at: server)
        let records = try records(8)
        let first = try await failure(of: sink, records)
        guard case .retry = first else { return XCTFail("\(String(describing: first))") }
        // A restarted runner may write a smaller batch.
        let trial = try await writeAll(sink, Array(records[..<2]))
        let rest = try await writeAll(sink, Array(records[2...]))

        XCTAssertEqual(trial.rejected, [Examples.id(1)])
        XCTAssertEqual(rest.rejected, [Examples.id(6)])
        XCTAssertEqual(repository.accepted, ids([0, 2, 3, 4, 5, 7]).map(\.description))
        XCTAssertEqual(try rejectedIDs(), ids([1, 6]).map(\.description))
    }

    func testAPieceThatComesAgain_hasTheSameKey() async throws {
        let repository = StrictRepository(refusing: ids([5])) { [2, 3, 4].contains($0) }
        let server = try repository.makeServer()
        _ = try await writeAll(try makeSink(at: server), try records(8))
        let keys = server.requests[1...4].map { $0["Idempotency-Key"] }
        XCTAssertEqual(Set(keys).count, 1)
    }

    // MARK: A server that takes nothing

    func testAllRejected_holdsAfterFifty_andNothingIsPutAside() async throws {
        let repository = StrictRepository(refusing: ids(0..<200), status: 400)
        let server = try repository.makeServer()
        let sink = try makeSink(at: server)
        let reason = try holdReason(await failure(of: sink, try records(200)))

        XCTAssertTrue(reason.contains("consecutive records rejected"), reason)
        XCTAssertTrue(reason.contains("`format`"), reason)
        XCTAssertTrue(reason.contains("whenAllRejected: \"reject\""), reason)
        XCTAssertEqual(try rejected().count, 0)
        // From then on single records are retried.
        let attempts = repository.attempts
        let again = try holdReason(await failure(of: sink, try records(200)))
        XCTAssertEqual(again, reason)
        XCTAssertEqual(repository.attempts, attempts + 1)
        XCTAssertEqual(server.requests.last?.ids, [Examples.id(0).description])
    }

    func testAllRejected_andThenFixed_allIsStored() async throws {
        let isFixed = Mutex(false)
        let accepted = Mutex<[String]>([])
        let server = try ScriptedHTTPServer { _, _ in
            .decide { request in
                guard isFixed.withLock({ $0 }) else {
                    return .answer(ScriptedAnswer(status: 400))
                }
                accepted.withLock { $0 += request.ids }
                return .answer()
            }
        }
        let sink = try makeSink(at: server)
        _ = try holdReason(await failure(of: sink, try records(200)))
        isFixed.withLock { $0 = true }
        try await sink.write(try records(200))
        XCTAssertEqual(accepted.withLock { $0 }, ids(0..<200).map(\.description))
        XCTAssertEqual(try rejected().count, 0)
    }

    func testAllRejected_whenSetToReject_putsAllAside_andReportsItOnce() async throws {
        let repository = StrictRepository(refusing: ids(0..<120))
        let sink = try makeSink(
            at: try repository.makeServer(), "whenAllRejected: \"reject\"")
        let outcome = try await writeAll(sink, try records(120))
        XCTAssertEqual(outcome.rejected.count, 120)
        XCTAssertEqual(try rejectedIDs(), ids(0..<120).map(\.description))
        XCTAssertEqual(logged.text.split(separator: "all records rejected").count, 2, logged.text)
    }

    func testFiftyRejected_withOneTakenBetween_isNoReasonToBlock() async throws {
        let repository = StrictRepository(refusing: ids((0..<120).filter { $0 % 40 != 0 }))
        let outcome = try await writeAll(
            try makeSink(at: try repository.makeServer()), try records(120))
        XCTAssertEqual(outcome.rejected.count, 117)
        XCTAssertEqual(repository.accepted, ids([0, 40, 80]).map(\.description))
    }

    func testAllRejected_inSmallBatches_holdsTooAfterFifty() async throws {
        let repository = StrictRepository(refusing: ids(0..<100))
        let sink = try makeSink(at: try repository.makeServer())
        let records = try records(60)
        try await sink.write([try Examples.heartRate(100, 60)])
        for record in records[..<49] {
            guard case .rejected = try await failure(of: sink, [record]) else {
                return XCTFail("it was not refused")
            }
        }
        _ = try holdReason(await failure(of: sink, [records[49]]))
        XCTAssertEqual(try rejectedIDs().count, 49)
    }

    // MARK: The file

    func testFileThatCannotBeWritten_isTriedAgain_withoutAnotherRequest() async throws {
        let repository = StrictRepository(refusing: ids([1]))
        let server = try repository.makeServer()
        let sink = try makeSink(at: server)
        try folder.makeFolder("repository.rejected.ndjson")
        let error = try await failure(of: sink, try records(4))
        guard case .retry(let reason, nil) = error else {
            return XCTFail("\(String(describing: error))")
        }
        XCTAssertTrue(reason.contains(rejectPath), reason)
        let attempts = repository.attempts
        try folder.remove("repository.rejected.ndjson")

        let outcome = try await writeAll(sink, try records(4))

        XCTAssertEqual(outcome.rejected, [Examples.id(1)])
        XCTAssertEqual(repository.attempts, attempts)
        XCTAssertEqual(try rejectedIDs(), [Examples.id(1).description])
    }

    func testMessagesAndLog_haveNoHealthValueAndNoAnswer() async throws {
        let server = try ScriptedHTTPServer { _, _ in
            .decide { request in
                let echo = String(decoding: request.body, as: UTF8.self)
                return .answer(ScriptedAnswer(status: 422, body: "you said \(echo)"))
            }
        }
        let error = try await failure(
            of: try makeSink(at: server, "whenAllRejected: \"reject\""),
            [try Examples.heartRate(0, 123.456)])
        let texts = "\(String(describing: error)) \(logged.text)"
        XCTAssertFalse(texts.contains("123.456"), texts)
        XCTAssertFalse(texts.contains("you said"), texts)
        let answer = try XCTUnwrap(try rejected().first?["answer"] as? String)
        XCTAssertTrue(answer.contains("123.456"), answer)
    }
}
