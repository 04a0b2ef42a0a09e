import XCTest

@testable import GatewayCore
@testable import GatewayHost

/// Requests that a client with a name may always send, and whose answers have what it may read.
extension AccessTable {
    /// The changes of the store, with the records that the client may read.
    func checkChanges(
        _ subject: AccessSubject, of caller: AccessCaller, _ decision: AccessDecision,
        _ row: String, isAll: Bool
    ) async throws {
        let connection = try await transport.connection(caller)
        let visit = AccessVisit("changes", #""limit":4096"#, answer: #"{"changes":{"#)
        try await check(visit, connection, caller, decision, "changes \(row)")
        guard decision == .granted else { return await connection.leave() }
        let lines = try await connection.lines(after: visit.request)
        if let mark = subject.mark {
            XCTAssertTrue(lines.contains { $0.contains(mark) }, "changes \(row): \(lines)")
            for line in lines.dropLast() where !isAll {
                XCTAssertTrue(line.contains(mark), "changes \(row): \(line)")
            }
        }
        await connection.leave()
    }

    /// The live state of people, in which only who may read all of a workout sees it.
    func checkFollow(
        _ subject: AccessSubject, of caller: AccessCaller, _ decision: AccessDecision,
        _ row: String, isAll: Bool
    ) async throws {
        let connection = try await transport.connection(caller)
        let visit = AccessVisit("follow", answer: #"{"state":{"time":"#)
        let isOpen = caller.name != nil || caller.isOwner
        try await check(visit, connection, caller, isOpen ? .granted : decision, "follow \(row)")
        guard isOpen else { return await connection.leave() }
        let lines = try await connection.lines(after: visit.request)
        let seesWorkout = isAll || (subject == .liveWorkout && decision == .granted)
        XCTAssertEqual(
            lines.joined().contains(#""workout":{"id":"#), seesWorkout, "follow \(row): \(lines)")
        if decision != .granted { checkSecrets(lines, caller, visit, "follow \(row)") }
        await connection.leave()
    }
}
