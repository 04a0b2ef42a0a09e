import GatewayTesting
import HTTPClient
import HTTPTesting
import HealthModel
import Platform
import Readings
import Synchronization
import XCTest

@testable import GatewayCore
@testable import GatewayJournal

/// A server that fails for a while, at the end of the durable lane: once it is well it has everything, in
/// order, and nothing comes again that it has acknowledged.
final class HTTPSinkFaultLaneTests: SinkTestCase {
    /// So many requests find the fault.
    private static let faultyRequests = 4
    private static let count = 300

    /// What the server does in the place of keeping a batch and saying so.
    private struct Fault {
        let name: String
        let reaction: ScriptedReaction
        /// Whether the batch is kept all the same.
        var keeps = false

        static func status(_ status: Int, _ headers: [(String, String)] = []) -> Fault {
            Fault(
                name: "status \(status)",
                reaction: .answer(ScriptedAnswer(status: status, headers: headers, body: "no")))
        }
    }

    private static let faults = [
        Fault(name: "reset", reaction: .reset),
        Fault(name: "close", reaction: .close),
        Fault(name: "garbage", reaction: .bytes(Array("garbage\r\n\r\n".utf8))),
        Fault(name: "kept and closed", reaction: .close, keeps: true),
        Fault(name: "kept and reset", reaction: .reset, keeps: true),
        Fault(
            name: "kept, half an answer", reaction: .cut(ScriptedAnswer(body: "half"), after: 46),
            keeps: true),
        .status(400), .status(401), .status(403), .status(404), .status(413), .status(422),
        .status(429, [("Retry-After", "120")]), .status(500), .status(503),
        .status(301, [("Location", "https://elsewhere.example/")]),
    ]

    /// A repository that keeps each record once.
    private final class Repository: Sendable {
        private struct State {
            var kept: [String] = []
            var acknowledged: Set<String> = []
            var sentAgain: [String] = []
        }

        private let state = Mutex(State())

        /// The ids that were kept, in their order.
        var kept: [String] { state.withLock { $0.kept } }
        /// The ids that came again though they were acknowledged.
        var sentAgain: [String] { state.withLock { $0.sentAgain } }

        func keep(_ request: ReceivedHTTPRequest, isSaid: Bool) {
            state.withLock { state in
                let known = Set(state.kept)
                state.sentAgain += request.ids.filter(state.acknowledged.contains)
                state.kept += request.ids.filter { !known.contains($0) }
                if isSaid { state.acknowledged.formUnion(request.ids) }
            }
        }
    }

    func testEveryFault_passes_andNothingIsLostOrSentAgain() async throws {
        for fault in Self.faults {
            let repository = Repository()
            let server = try ScriptedHTTPServer { number, _ in
                .decide { request in
                    let isFaulty = number <= Self.faultyRequests
                    if !isFaulty || fault.keeps { repository.keep(request, isSaid: !isFaulty) }
                    return isFaulty ? fault.reaction : .answer(ScriptedAnswer(status: 204))
                }
            }
            let ledger = try await deliver(to: server) { repository.kept.count == Self.count }

            let outcome = ledger.sinks["repository"]?.outcome
            XCTAssertEqual(ledger.imbalances, [], fault.name)
            XCTAssertEqual(outcome?.delivered, Int64(Self.count), fault.name)
            XCTAssertEqual(
                repository.kept, try records(Self.count).map(\.id.description), fault.name)
            XCTAssertEqual(repository.sentAgain, [], fault.name)
            XCTAssertGreaterThan(server.counts.requests, Self.faultyRequests, fault.name)
            XCTAssertEqual(try rejected(), [], fault.name)
        }
    }

    /// Brings records to a server by journal and runner, on a clock that moves when somebody waits for it.
    private func deliver(
        to server: ScriptedHTTPServer, until isDone: @escaping @Sendable () -> Bool
    ) async throws -> Ledger {
        let log = Logger(component: "test") { _ in }
        let sink = try makeSink(at: server)
        let journal = try Journal(
            file: InMemoryJournalFile(), sinks: ["repository"], clock: clock, log: log)
        let runner = SinkRunner(
            Gateway.NamedSink(name: "repository", sink: sink), journal: journal, clock: clock,
            log: log)
        let committing = Task { try await journal.run() }
        let delivery = Task { try await runner.run() }
        let mover = Task { [clock] in
            while !Task.isCancelled {
                await clock.waitForSleepers(1)
                clock.advance(seconds: 60)
            }
        }
        let bus = Bus(journal: journal, live: LiveLane())
        let records = try records(Self.count)
        for start in stride(from: 0, to: records.count, by: 100) {
            var conversion = Conversion()
            conversion.records = Array(records[start..<start + 100])
            await bus.publish(conversion)
        }
        try await server.wait { _ in isDone() }
        await journal.close()
        try await delivery.value
        mover.cancel()
        let wake = Task { [clock] in try await clock.sleep(seconds: 1_000_000) }
        _ = await mover.result
        wake.cancel()
        committing.cancel()
        _ = await committing.result
        return await journal.ledger
    }
}
