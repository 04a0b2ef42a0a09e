import XCTest

@testable import GatewayCore
@testable import GatewayHost

/// Requests that need access to several types, or to what no record has as its type.
extension AccessTable {
    private static let several: [(visit: AccessVisit, types: Set<String>)] = [
        (AccessVisit("metrics", answer: "pulsegate_records_published_total"), ["metrics"]),
        (
            AccessVisit(
                "summary", #""period":"day","date":"2026-11-22","person":"annaliese""#,
                answer: #"{"summary":{"date":"2026-11-22""#),
            ["activeEnergyBurned", "basalEnergyBurned", "dietaryEnergyConsumed"]
        ),
        (
            AccessVisit(
                "summary", #""period":"month","date":"2026-11-22","person":"annaliese""#,
                answer: #"{"summary":{"from":"2026-10-22""#),
            ["stepCount", "distanceWalkingRunning", "flightsClimbed"]
        ),
    ]

    func checkSeveralTypes() async throws {
        for (visit, types) in Self.several {
            for row in Row.allCases {
                try await decide(row, types, .read)
                try await check(visit, dash, row.decision, "\(visit.name) \(row)")
                for other in others {
                    try await check(visit, other, .notAsked, "\(visit.name) \(row), \(other)")
                }
                guard types.count > 1, row == .granted, let last = types.sorted().last else {
                    continue
                }
                _ = try await service.access.decide(
                    try XCTUnwrap(transport.id(of: dash)), [.read: .types([last])], .denied)
                try await check(visit, dash, .denied, "\(visit.name) without \(last)")
            }
            for owner in Self.owners { try await check(visit, owner, .granted, "\(owner)") }
        }
        try await checkMetricsAlone()
    }

    /// Who may read metrics may read nothing else.
    private func checkMetricsAlone() async throws {
        try await decide(.granted, ["metrics"], .read)
        let visits = [
            AccessVisit("status", answer: ""),
            AccessVisit("query", #""type":"deviceEvent""#, answer: ""),
            AccessVisit("query", #""type":"heartRate""#, answer: ""),
            AccessVisit("workouts", answer: ""),
        ]
        for visit in visits { try await check(visit, dash, .notAsked, "metrics alone") }
    }

    /// A file can have records of every type: only who may share all of them may send one.
    func checkImport() async throws {
        let visit = AccessVisit("import", #""person":"annaliese""#, answer: "imports no files")
        for row in Row.allCases {
            try await decide(row, ["heartRate", "workout"], .share)
            let decision: AccessDecision =
                switch row {
                case .allGranted: .granted
                case .allDenied: .denied
                default: .notAsked
                }
            try await checkCode(visit, dash, decision, "\(row)")
            for other in others { try await checkCode(visit, other, .notAsked, "\(other)") }
            try await decide(row, ["heartRate"], .read)
            try await checkCode(visit, dash, .notAsked, "read \(row)")
        }
        for owner in Self.owners { try await checkCode(visit, owner, .granted, "\(owner)") }
    }

    private func check(
        _ visit: AccessVisit, _ caller: AccessCaller, _ decision: AccessDecision, _ row: String
    ) async throws {
        let connection = try await transport.connection(caller)
        try await check(visit, connection, caller, decision, row)
        await connection.leave()
    }

    private func checkCode(
        _ visit: AccessVisit, _ caller: AccessCaller, _ decision: AccessDecision, _ row: String
    ) async throws {
        visited.insert(visit.name)
        let connection = try await transport.connection(caller)
        let lines = try await connection.lines(after: visit.request)
        XCTAssertEqual(
            Self.code(of: lines), decision == .granted ? nil : decision.rawValue,
            "import \(row): \(lines)")
        XCTAssertEqual(
            lines.joined().contains(visit.answer), decision == .granted, "import \(row): \(lines)")
        await connection.leave()
    }
}
