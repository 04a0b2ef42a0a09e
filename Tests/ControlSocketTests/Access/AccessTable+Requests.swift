import HealthModel
import XCTest

@testable import ControlSocket
@testable import GatewayCore
@testable import GatewayHost

extension AccessTable {
    // MARK: Requests

    func checkReads(
        _ subject: AccessSubject, of caller: AccessCaller, _ decision: AccessDecision,
        _ row: String, isAll: Bool = false
    ) async throws {
        let connection = try await transport.connection(caller)
        for visit in subject.readVisits {
            try await check(visit, connection, caller, decision, "read \(row)")
            guard visit.name == "status", decision == .granted else { continue }
            // The counts are those of records of all types.
            let status = try await connection.lines(after: visit.request).joined()
            for key in [#""ledger":"#, #""delivered":"#, #""waiting":"#, #""pending":"#] {
                XCTAssertEqual(status.contains(key), isAll, "\(row): \(status)")
            }
        }
        if subject == .liveWorkout, !caller.isOwner {
            // Without access to store workouts, a client cannot change one that it may read.
            let mayRead = decision == .granted
            for visit in subject.shareVisits(0, person: "bartholomew") {
                try await check(
                    visit, connection, caller, mayRead ? .notAsked : decision, "read \(row)")
            }
        }
        await connection.leave()
        try await checkTaps(subject, of: caller, decision, row, isAll: isAll)
        try await checkChanges(subject, of: caller, decision, row, isAll: isAll)
        try await checkFollow(subject, of: caller, decision, row, isAll: isAll)
    }

    /// A tap of the type, and one of everything, of which a client gets what it may read.
    func checkTaps(
        _ subject: AccessSubject, of caller: AccessCaller, _ decision: AccessDecision,
        _ row: String, isAll: Bool
    ) async throws {
        guard transport.carries(#"{"request":"tap"}"#) else { return visited.formUnion(["tap"]) }
        let granted = decision == .granted ? subject.types : []
        for fields in [subject.tapFields, ""].compactMap(\.self) {
            let connection = try await transport.connection(caller)
            let visit = AccessVisit("tap", String(fields.dropFirst()), answer: #"{"tap":"#)
            // Without a type, a client with a name gets nothing instead of an error.
            let isOpen = fields.isEmpty && caller.name != nil
            try await check(
                visit, connection, caller, isOpen ? .granted : decision, "tap \(row)")
            let records = AccessSubject.allCases.compactMap { other -> (AccessSubject, String)? in
                number += 10
                return other.record(number).map { (other, $0) }
            }
            var decoder = RecordDecoder()
            service.live.offer(
                RecordBatch(try records.map { try decoder.decode(Array($0.1.utf8)) }))
            let lines = try await connection.lines(after: #"{"request":"ping"}"#)
            let expected = records.filter { other, _ in
                (fields.isEmpty || other == subject)
                    && (isAll || other.types.isSubset(of: granted))
            }
            XCTAssertEqual(lines.count, expected.count, "tap \(fields) \(row): \(lines)")
            for (line, record) in zip(lines, expected) {
                XCTAssertTrue(line.contains(record.1.prefix(60).suffix(30)), "\(row): \(line)")
            }
            await connection.leave()
        }
    }

    func checkShares(
        _ subject: AccessSubject, of caller: AccessCaller, _ decision: AccessDecision,
        _ row: String
    ) async throws {
        let connection = try await transport.connection(caller)
        number += 10
        let visits = subject.shareVisits(number, person: "bartholomew")
        for visit in visits {
            try await check(visit, connection, caller, decision, "share \(row)")
            guard transport.carries(visit.request) else { continue }
            if decision == .granted, visit.name != "workout" { stored[subject, default: 0] += 1 }
        }
        for visit in unknownPerson(subject) where transport.carries(visit.request) {
            let lines = try await connection.lines(after: visit.request)
            XCTAssertEqual(
                Self.code(of: lines), decision == .granted ? nil : decision.rawValue,
                "share \(row): \(lines)")
            XCTAssertTrue(lines.first?.hasPrefix(#"{"error":"#) ?? false, "\(row): \(lines)")
            checkSecrets(lines, caller, visit, "share \(row)")
        }
        await connection.leave()
    }

    /// Requests about a person who does not exist.
    func unknownPerson(_ subject: AccessSubject) -> [AccessVisit] {
        let visits = subject.shareVisits(number + 5, person: "eve")
        return visits.filter { !$0.request.contains(#""action":"discard""#) }
    }

    func check(
        _ visit: AccessVisit, _ connection: any AccessConnection, _ caller: AccessCaller,
        _ decision: AccessDecision, _ row: String
    ) async throws {
        visited.insert(visit.name)
        guard transport.carries(visit.request) else { return }
        let lines = try await connection.lines(after: visit.request)
        guard decision == .granted else {
            XCTAssertEqual(Self.code(of: lines), decision.rawValue, "\(row): \(visit) \(lines)")
            XCTAssertEqual(lines.count, 1, "\(row): \(visit) \(lines)")
            if decision == .notAsked {
                let how = caller.name == nil ? "send `hello`" : transport.wordsToAsk
                XCTAssertTrue(lines.joined().contains(how), "\(row): \(visit) \(lines)")
            }
            return checkSecrets(lines, caller, visit, row)
        }
        XCTAssertTrue(
            lines.contains { $0.contains(visit.answer) }, "\(row): \(visit) \(lines)")
        XCTAssertNil(Self.code(of: lines), "\(row): \(visit) \(lines)")
    }

    /// Nothing of a record and no name of a person is in an answer that grants nothing.
    func checkSecrets(
        _ lines: [String], _ caller: AccessCaller, _ visit: AccessVisit, _ row: String
    ) {
        guard !caller.isOwner else { return }
        let text = lines.joined()
        for secret in AccessGateway.people + [AccessSubject.secret]
        where !visit.request.contains(secret) {
            XCTAssertFalse(text.contains(secret), "\(row): \(visit) \(lines)")
        }
    }

    static func code(of lines: [String]) -> String? {
        ["notAsked", "undecided", "denied", "failure"].first { code in
            lines.contains { $0.contains(#""code":"\#(code)""#) }
        }
    }
}
