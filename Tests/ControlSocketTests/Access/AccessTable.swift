import HealthModel
import XCTest

@testable import ControlSocket
@testable import GatewayCore
@testable import GatewayHost

/// The rows, and what a client gets in each.
final class AccessTable {
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

    static let owner = AccessCaller(user: 0, name: nil, isOwner: true)
    /// Clients that a row is not about: another program, another user, and one without a name.
    var others: [AccessCaller] {
        [AccessCaller(name: "wall"), AccessCaller(user: 4_712)]
            + (transport.hasUnnamedClients ? [AccessCaller(name: nil)] : [])
    }
    /// The owner, as a script too, who needs no grant.
    static let owners = [owner, AccessCaller(user: 0, name: "script", isOwner: true)]

    let service: GatewayService
    /// All requests of the command.
    let handlers: [RequestHandler]
    let transport: any AccessTransport
    let dash = AccessCaller()
    var number = 100
    /// The number of stored records of each subject.
    var stored: [AccessSubject: Int] = [:]
    var visited: Set<String> = []

    init(
        _ service: GatewayService, _ handlers: [RequestHandler], _ transport: any AccessTransport
    ) {
        self.service = service
        self.handlers = handlers
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
                for other in others {
                    try await checkReads(
                        subject, of: other, .notAsked, "\(subject) \(row), \(other)")
                }
                try await decide(row, subject, .share)
                try await checkShares(subject, of: dash, row.decision, "\(subject) \(row)")
                for other in others {
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
        for area in ManagedArea.allCases { try await checkManaging(area) }
        try await checkSeveralTypes()
        try await checkImport()
        try await checkOwnerOnly()
        try await checkStored()
        XCTAssertEqual(
            visited, Set(handlers.map(\.name)), "requests without a row")
    }

    /// Stores a record of each subject and starts a workout, as the owner.
    func prepare() async throws {
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
            guard let id = transport.id(of: owner) else { continue }
            _ = try await service.access.decide(id, [.read: .all, .share: .all], .denied)
        }
        await connection.leave()
    }

    // MARK: What the gateway knows

    /// Requests of an area are for those who may change it; other grants are no help.
    func checkManaging(_ area: ManagedArea) async throws {
        let own = handlers.filter { $0.audience == .managers(of: area) }
        XCTAssertFalse(own.isEmpty, "\(area)")
        visited.formUnion(own.map(\.name))
        let id = try XCTUnwrap(transport.id(of: dash))
        for row in Row.allCases {
            try await decide(row, [area.rawValue], .manage)
            try await check(own, of: dash, row.decision, "manage \(area) \(row)")
            let others = handlers.filter {
                if case .managers(of: let other) = $0.audience { other != area } else { false }
            }
            let isForAll = row == .allGranted || row == .allDenied
            try await check(
                others, of: dash, isForAll ? row.decision : .notAsked, "only \(area) \(row)")
            for other in self.others { try await check(own, of: other, .notAsked, "\(row)") }
        }
        _ = try await service.access.forget(id)
        _ = try await service.access.decide(id, [.read: .all, .share: .all], .granted)
        try await check(own, of: dash, .notAsked, "all but \(area)")
        for owner in Self.owners { try await check(own, of: owner, .granted, "\(owner)") }
    }

    private func check(
        _ handlers: [RequestHandler], of caller: AccessCaller, _ decision: AccessDecision,
        _ row: String
    ) async throws {
        let code: String? =
            switch decision {
            case .granted: nil
            case .denied, .undecided, .notAsked: decision.rawValue
            }
        for handler in handlers where transport.carries(#"{"request":"\#(handler.name)"}"#) {
            let connection = try await transport.connection(caller)
            let lines = try await connection.lines(after: #"{"request":"\#(handler.name)"}"#)
            XCTAssertEqual(Self.code(of: lines), code, "\(handler.name) \(row): \(lines)")
            await connection.leave()
        }
    }

    // MARK: The rest

    /// Requests of the owner are denied to a client with every grant.
    func checkOwnerOnly() async throws {
        visited.formUnion(["ping", "hello", "access", "requestAccess", "types"])
        _ = try await service.access.decide(
            try XCTUnwrap(transport.id(of: dash)), [.read: .all, .share: .all, .manage: .all],
            .granted)
        for handler in handlers where handler.audience == .owner {
            visited.insert(handler.name)
            guard transport.carries(#"{"request":"\#(handler.name)"}"#) else { continue }
            for caller in [dash] + others {
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
    func checkStored() async throws {
        _ = await service.waitForStore(of: [])
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

extension AccessTable {
    // MARK: Rows

    /// Makes a row for the subject; the client has nothing else, except what a workout needs beside.
    func decide(_ row: Row, _ subject: AccessSubject, _ kind: AccessKind) async throws {
        let id = try XCTUnwrap(transport.id(of: dash))
        try await decide(row, kind == .read ? subject.types : subject.sharedTypes, kind)
        guard subject == .liveWorkout, kind == .share else { return }
        _ = try await service.access.decide(id, [.read: .types(subject.types)], .granted)
    }

    /// Makes a row for types or areas; the client has nothing else.
    func decide(_ row: Row, _ types: Set<String>, _ kind: AccessKind) async throws {
        let id = try XCTUnwrap(transport.id(of: dash))
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
    }

    func ask(_ types: Set<String>, _ kind: AccessKind) async throws {
        let connection = try await transport.connection(dash)
        let names = types.map { "\"\($0)\"" }.joined(separator: ",")
        let lines = try await connection.lines(
            after: #"{"request":"requestAccess","\#(kind.rawValue)":[\#(names)]}"#)
        XCTAssertTrue(lines.first?.contains(#""undecided":["#) ?? false, "\(lines)")
        let access = try await connection.lines(after: #"{"request":"access"}"#)
        XCTAssertEqual(access, lines)
        await connection.leave()
    }
}
