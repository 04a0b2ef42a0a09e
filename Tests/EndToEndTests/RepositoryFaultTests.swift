import GatewayCore
import GatewayTesting
import Glibc
import HTTPTesting
import XCTest

/// A repository that fails for a while, or all the time, beside a store that works.
final class RepositoryFaultTests: XCTestCase {
    private typealias Answer = KeepingRepository.Answer

    /// What a server may do instead of keeping a batch and saying so; it passes by itself.
    private static let faults: [(name: String, answer: Answer, http: String)] = [
        ("closes", .fail(.close), ""),
        ("resets", .fail(.reset), ""),
        ("says no HTTP", .fail(.bytes(Array("garbage\r\n\r\n".utf8))), ""),
        ("cuts its answer off", .fail(.cut(ScriptedAnswer(body: "half"), after: 46)), ""),
        ("sends headers without an end", .fail(.endlessHeaders), ""),
        ("answers 408", .fail(.answer(ScriptedAnswer(status: 408))), ""),
        (
            "answers 429",
            .fail(.answer(ScriptedAnswer(status: 429, headers: [("Retry-After", "1")]))), ""
        ),
        ("answers 500", .fail(.answer(ScriptedAnswer(status: 500))), ""),
        ("keeps all and closes", .keepUnsaid(.close), ""),
        ("keeps all and resets", .keepUnsaid(.reset), ""),
        ("keeps all and says nothing", .keepUnsaid(.silence), "timeout: 1"),
        (
            "keeps all and is slow",
            .keepUnsaid(.answer(ScriptedAnswer(body: "slow")).dripping(secondsPerByte: 0.02)), ""
        ),
    ]

    func testEveryFault_passes_andTheRepositoryHasWhatTheStoreHas() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for fault in Self.faults {
                group.addTask { try await Self.passes(fault.name, fault.answer, fault.http) }
            }
            try await group.waitForAll()
        }
    }

    /// The first two requests find the fault, and the others do not.
    private static func passes(_ name: String, _ answer: Answer, _ http: String) async throws {
        let lane = try DurableLane(KeepingRepository { $0 <= 2 ? answer : .keep }, http: http)
        let gateway = try lane.start()
        try await gateway.waitForLines(2, with: ": connected", on: .error)
        for _ in 0..<3 {
            try await lane.devices.send(lines: 10, packets: 10)
            await gateway.letRun(seconds: DurableLane.commitSeconds)
        }
        let isThere = await lane.waitForLast(gateway, within: RunningCommand.timeoutSeconds)
        let log = await gateway.text(of: .error)
        XCTAssertTrue(isThere, "\(name): \(log)")
        try await lane.stop(gateway, name)
        let (findings, kept) = try await lane.audit()
        XCTAssertEqual(findings, [], name)
        XCTAssertEqual(kept.packets, Array(0..<30), name)
        XCTAssertEqual(kept.lines, lane.linesToKeep, name)
        XCTAssertEqual(lane.repository.repeats, 0, "\(name): acknowledged, and sent again")
    }

    func testRepositoryThatNeverResponds_holdsUpNoOther_andGetsAllAtTheNextStart() async throws {
        let dead = KeepingRepository { _ in .fail(.silence) }
        let server = try dead.makeServer()
        let lane = try DurableLane(
            sinks: #"dead: { use: "http", url: "\#(server.url())", timeout: 1 },"#)
        let first = try lane.start()
        try await first.waitForLines(2, with: ": connected", on: .error)
        for _ in 0..<3 {
            try await lane.devices.send(lines: 10, packets: 10)
            let isThere = await lane.waitForLast(first, within: RunningCommand.timeoutSeconds)
            XCTAssertTrue(isThere)
        }
        try await first.waitForLines(with: "warning: dead: cannot write", on: .error)
        await first.send(SIGTERM)
        let ending = try await first.waitForEnd(within: 6)
        XCTAssertEqual(ending, .exited(0))
        let ledger = try lane.home.ledger()
        XCTAssertEqual(ledger.pending(for: "dead"), ledger.ingest.published)
        XCTAssertEqual(ledger.pending(for: "store"), 0)
        XCTAssertEqual(dead.records.count, 0)

        dead.set { _ in .keep }
        try await lane.finish("next start")
        let (findings, _) = try await lane.audit()
        XCTAssertEqual(findings, [])
        XCTAssertEqual(dead.records, lane.repository.records)
        XCTAssertEqual(try lane.home.ledger().pending(for: "dead"), 0)
        withExtendedLifetime(server) {}
    }
}
