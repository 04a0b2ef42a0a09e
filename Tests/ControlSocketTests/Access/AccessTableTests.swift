import HealthModel
import XCTest

@testable import ControlSocket
@testable import GatewayCore
@testable import GatewayHost

/// Every row of the table of access, through every transport: client, kind of record, read or share,
/// and decision.
final class AccessTableTests: XCTestCase {
    func testEveryRow_byDirectCall() async throws {
        try await AccessGateway.run { service, _ in
            try await AccessTable(service, DirectTransport(service: service)).check()
        }
    }

    func testEveryRow_throughTheControlSocket() async throws {
        try await AccessGateway.run { service, folder in
            let transport = try SocketTransport(service, in: folder)
            try await AccessTable(service, transport).check()
            await transport.stop()
        }
    }
}

/// The rows, and what a client gets in each.
private final class AccessTable {
    /// What was decided about the types of a subject.
    enum Row: CaseIterable {
        case notAsked, undecided, granted, denied, allGranted, allDenied, revoked, forgotten

        /// What it means for a client.
        var decision: AccessDecision {
            switch self {
            case .notAsked, .forgotten: .notAsked
            case .undecided: .undecided
            case .granted, .allGranted: .granted
            case .denied, .allDenied, .revoked: .denied
            }
        }
    }

    private static let owner = AccessCaller(user: 0, name: nil, isOwner: true)
    /// Clients that a row is not about: another program, another user, and one without a name.
    private static let others = [
        AccessCaller(name: "wall"), AccessCaller(user: 4_712), AccessCaller(name: nil),
    ]
    /// The owner, as a script too, who needs no grant.
    private static let owners = [owner, AccessCaller(user: 0, name: "script", isOwner: true)]

    private let service: GatewayService
    private let transport: any AccessTransport
    private let dash = AccessCaller()
    private var number = 100
    /// The number of stored records of each subject.
    private var stored: [AccessSubject: Int] = [:]
    private var visited: Set<String> = []

    init(_ service: GatewayService, _ transport: any AccessTransport) {
        self.service = service
        self.transport = transport
    }

    func check() async throws {
        try await prepare()
        for subject in AccessSubject.allCases {
            for row in Row.allCases {
                try await decide(row, subject, .read)
                try await checkReads(
                    subject, of: dash, row.decision, "\(subject) \(row)",
                    isAll: row == .allGranted)
                for other in Self.others {
                    try await checkReads(
                        subject, of: other, .notAsked, "\(subject) \(row), \(other)")
                }
                try await decide(row, subject, .share)
                try await checkShares(subject, of: dash, row.decision, "\(subject) \(row)")
                for other in Self.others {
                    try await checkShares(
                        subject, of: other, .notAsked, "\(subject) \(row), \(other)")
                }
            }
            for owner in Self.owners {
                try await checkReads(
                    subject, of: owner, .granted, "\(subject), \(owner)", isAll: true)
                try await checkShares(subject, of: owner, .granted, "\(subject), \(owner)")
            }
        }
        try await checkOwnerOnly()
        try await checkStored()
        XCTAssertEqual(visited, Set(RequestRouter.all.map(\.name)), "requests without a row")
    }

    /// Stores a record of each subject and starts a workout, as the owner.
    private func prepare() async throws {
        let connection = try await transport.connection(Self.owner)
        let records = AccessSubject.allCases.enumerated().compactMap { $1.record($0) }
        let list = records.joined(separator: ",")
        let lines = try await connection.lines(
            after: #"{"request":"ingest","records":[\#(list)],"waitForStore":true}"#)
        XCTAssertEqual(lines, [#"{"accepted":5,"stored":true}"#])
        for subject in AccessSubject.allCases { stored[subject] = 1 }
        let start = try await connection.lines(
            after: #"{"request":"workout","action":"start","person":"annaliese"}"#)
        XCTAssertTrue(start.first?.hasPrefix(#"{"live":"#) ?? false, "\(start)")
        // The table has no word for the owner: a denial is without effect.
        for owner in Self.owners {
            guard let id = owner.id else { continue }
            _ = try await service.access.decide(id, [.read: .all, .share: .all], .denied)
        }
        await connection.leave()
    }

    // MARK: Rows

    /// Makes a row for the subject; the client has nothing else, except what a workout needs beside.
    private func decide(_ row: Row, _ subject: AccessSubject, _ kind: AccessKind) async throws {
        let id = try XCTUnwrap(dash.id)
        let types = kind == .read ? subject.types : subject.sharedTypes
        let these = [kind: TypeSelection.types(types)]
        _ = try await service.access.forget(id)
        switch row {
        case .notAsked: break
        case .undecided: try await ask(types, kind)
        case .granted: _ = try await service.access.decide(id, these, .granted)
        case .denied: _ = try await service.access.decide(id, these, .denied)
        case .allGranted: _ = try await service.access.decide(id, [kind: .all], .granted)
        case .allDenied: _ = try await service.access.decide(id, [kind: .all], .denied)
        case .revoked:
            _ = try await service.access.decide(id, these, .granted)
            _ = try await service.access.decide(id, these, .denied)
        case .forgotten:
            _ = try await service.access.decide(id, these, .granted)
            _ = try await service.access.forget(id)
        }
        guard subject == .liveWorkout, kind == .share else { return }
        _ = try await service.access.decide(id, [.read: .types(subject.types)], .granted)
    }

    private func ask(_ types: Set<String>, _ kind: AccessKind) async throws {
        let connection = try await transport.connection(dash)
        let names = types.map { "\"\($0)\"" }.joined(separator: ",")
        let lines = try await connection.lines(
            after: #"{"request":"requestAccess","\#(kind.rawValue)":[\#(names)]}"#)
        XCTAssertTrue(lines.first?.contains(#""undecided":["#) ?? false, "\(lines)")
        let access = try await connection.lines(after: #"{"request":"access"}"#)
        XCTAssertEqual(access, lines)
        await connection.leave()
    }

    // MARK: Requests

    private func checkReads(
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
    }

    /// A tap of the type, and one of everything, of which a client gets what it may read.
    private func checkTaps(
        _ subject: AccessSubject, of caller: AccessCaller, _ decision: AccessDecision,
        _ row: String, isAll: Bool
    ) async throws {
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

    private func checkShares(
        _ subject: AccessSubject, of caller: AccessCaller, _ decision: AccessDecision,
        _ row: String
    ) async throws {
        let connection = try await transport.connection(caller)
        number += 10
        let visits = subject.shareVisits(number, person: "bartholomew")
        for visit in visits {
            try await check(visit, connection, caller, decision, "share \(row)")
            if decision == .granted, visit.name != "workout" { stored[subject, default: 0] += 1 }
        }
        for visit in unknownPerson(subject) {
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
    private func unknownPerson(_ subject: AccessSubject) -> [AccessVisit] {
        let visits = subject.shareVisits(number + 5, person: "eve")
        return visits.filter { !$0.request.contains(#""action":"discard""#) }
    }

    private func check(
        _ visit: AccessVisit, _ connection: any AccessConnection, _ caller: AccessCaller,
        _ decision: AccessDecision, _ row: String
    ) async throws {
        visited.insert(visit.name)
        let lines = try await connection.lines(after: visit.request)
        guard decision == .granted else {
            XCTAssertEqual(Self.code(of: lines), decision.rawValue, "\(row): \(visit) \(lines)")
            XCTAssertEqual(lines.count, 1, "\(row): \(visit) \(lines)")
            if decision == .notAsked {
                let how = caller.name == nil ? "send `hello`" : "pulsegate access request"
                XCTAssertTrue(lines.joined().contains(how), "\(row): \(visit) \(lines)")
            }
            return checkSecrets(lines, caller, visit, row)
        }
        XCTAssertTrue(
            lines.contains { $0.contains(visit.answer) }, "\(row): \(visit) \(lines)")
        XCTAssertNil(Self.code(of: lines), "\(row): \(visit) \(lines)")
    }

    /// Nothing of a record and no name of a person is in an answer that grants nothing.
    private func checkSecrets(
        _ lines: [String], _ caller: AccessCaller, _ visit: AccessVisit, _ row: String
    ) {
        guard !caller.isOwner else { return }
        let text = lines.joined()
        for secret in AccessGateway.people + [AccessSubject.secret]
        where !visit.request.contains(secret) {
            XCTAssertFalse(text.contains(secret), "\(row): \(visit) \(lines)")
        }
    }

    private static func code(of lines: [String]) -> String? {
        ["notAsked", "undecided", "denied", "failure"].first { code in
            lines.contains { $0.contains(#""code":"\#(code)""#) }
        }
    }

    // MARK: The rest

    /// Requests of the owner are denied to a client with every grant.
    private func checkOwnerOnly() async throws {
        visited.formUnion(["ping", "hello", "access", "requestAccess"])
        _ = try await service.access.decide(
            try XCTUnwrap(dash.id), [.read: .all, .share: .all], .granted)
        for handler in RequestRouter.all where handler.audience == .owner {
            visited.insert(handler.name)
            for caller in [dash] + Self.others {
                let connection = try await transport.connection(caller)
                let lines = try await connection.lines(after: #"{"request":"\#(handler.name)"}"#)
                XCTAssertEqual(Self.code(of: lines), "denied", "\(handler.name): \(lines)")
                XCTAssertEqual(lines.count, 1)
                await connection.leave()
            }
            for owner in Self.owners {
                let connection = try await transport.connection(owner)
                let lines = try await connection.lines(after: #"{"request":"\#(handler.name)"}"#)
                XCTAssertNil(Self.code(of: lines), "\(handler.name): \(lines)")
                await connection.leave()
            }
        }
    }

    /// The store has what was granted, and nothing else.
    private func checkStored() async throws {
        _ = await service.waitForStore()
        let connection = try await transport.connection(Self.owner)
        for subject in AccessSubject.allCases {
            guard subject != .workout, subject != .event,
                case let visit = subject.readVisits[0], visit.name == "query"
            else { continue }
            let lines = try await connection.lines(after: visit.request)
            let count = stored[subject] ?? 0
            XCTAssertEqual(lines.last, #"{"query":{"records":\#(count)}}"#, "\(subject)")
        }
        await connection.leave()
    }
}
