import Foundation
import GatewayTesting
import HealthModel
import XCTest

@testable import GatewayCore
@testable import GatewayHost
@testable import JSON
@testable import Platform

/// Every row of the table of access: who, which type, read or share, and what was decided.
final class AccessTests: XCTestCase {
    /// What was decided about a type, and how.
    enum Row: String, CaseIterable {
        case notAsked, asked, granted, denied, allGranted, allDenied, allGrantedButThis
        case allDeniedButThis, revoked

        var expected: AccessDecision {
            switch self {
            case .notAsked: .notAsked
            case .asked: .undecided
            case .granted, .allGranted, .allDeniedButThis: .granted
            case .denied, .allDenied, .allGrantedButThis, .revoked: .denied
            }
        }
    }

    private static let types = ["heartRate", "bodyMass", "sleepAnalysis"]
    private var folder: TemporaryFolder!
    private var access: AccessControl!
    private let transport = PlainName(known: "control")

    override func setUpWithError() throws {
        folder = try TemporaryFolder()
        access = AccessControl(
            folder: DataDirectory(path: folder.path), log: Logger(component: "test") { _ in })
    }

    override func tearDown() {
        folder = nil
    }

    /// No record has this type, so that a grant to store it would do nothing.
    func testMetrics_canOnlyBeRead() async throws {
        func grant(_ kind: String, _ types: [String]) async throws -> String {
            let node = ConfigurationNode(
                path: "",
                value: .object([
                    "client": .string("web:-:prometheus"),
                    kind: .array(types.map(JSONValue.string)),
                ]))
            do {
                return String(
                    decoding: try await AccessChange.grant.make(node, in: access), as: UTF8.self)
            } catch let error as ConfigurationError {
                return "\(error)"
            }
        }
        let read = try await grant("read", ["metrics"])
        XCTAssertTrue(read.contains(#""granted":["metrics"]"#), read)
        let shared = try await grant("share", ["bodyMass", "metrics"])
        XCTAssertEqual(shared, "share[1]: `metrics` can only be read, not stored")
        let others = try await grant("share", ["bodyMass"])
        XCTAssertTrue(others.contains(#""granted":["bodyMass"]"#), others)
        XCTAssertThrowsError(
            try AccessRequest(
                ConfigurationNode(path: "", value: .object(["share": .array([.string("metrics")])]))
                    .object(keys: ["read", "share", "manage", "purpose"])))
    }

    /// A list has names of types, and `all` is none: it is the value itself.
    func testAll_besideOtherNames_isRefused_withWhatToWrite() async throws {
        for kind in AccessKind.allCases {
            for names in [["all", "metrics"], ["bodyMass", "all"], ["devices", "all"], ["all"]] {
                let node = ConfigurationNode(
                    path: "",
                    value: .object([
                        "client": .string("control:1001:dash"),
                        kind.rawValue: .array(names.map(JSONValue.string)),
                    ]))
                XCTAssertThrowsError(
                    try AccessRequest(
                        node.object(keys: ["client", "read", "share", "manage", "purpose"]))
                ) {
                    XCTAssertTrue("\($0)".contains("only the owner can grant `all`"), "\($0)")
                }
                do {
                    _ = try await AccessChange.grant.make(node, in: access)
                    XCTFail("\(kind) \(names)")
                } catch let error as ConfigurationError {
                    XCTAssertEqual(
                        "\(error)",
                        "\(kind.rawValue): `all` cannot be in a list; give it alone, or leave it out"
                    )
                }
            }
        }
    }

    private func client(_ name: String?, user: UInt32 = 4_711) throws -> ServiceClient {
        let client = ServiceClient(
            transport: transport, user: PlainName("\(user)"), isOwner: user == 0)
        if let name {
            _ = client.introduce(.init(name: try XCTUnwrap(PlainName(name)), purpose: nil))
        }
        return client
    }

    static func make(
        _ row: Row, _ kind: AccessKind, _ type: String, _ client: ServiceClient,
        in access: AccessControl
    ) async throws {
        let id = try XCTUnwrap(client.id)
        let one = [kind: TypeSelection.types([type])]
        switch row {
        case .notAsked: break
        case .asked:
            let node = ConfigurationNode(
                path: "", value: .object([kind.rawValue: .array([.string(type)])]))
            _ = try await access.ask(
                client, AccessRequest(node.object(keys: ["read", "share", "manage", "purpose"])))
        case .granted: _ = try await access.decide(id, one, .granted)
        case .denied: _ = try await access.decide(id, one, .denied)
        case .allGranted: _ = try await access.decide(id, [kind: .all], .granted)
        case .allDenied: _ = try await access.decide(id, [kind: .all], .denied)
        case .allGrantedButThis:
            _ = try await access.decide(id, [kind: .all], .granted)
            _ = try await access.decide(id, one, .denied)
        case .allDeniedButThis:
            _ = try await access.decide(id, [kind: .all], .denied)
            _ = try await access.decide(id, one, .granted)
        case .revoked:
            _ = try await access.decide(id, one, .granted)
            _ = try await access.decide(id, one, .denied)
        }
    }

    func testEveryRow() async throws {
        for row in Row.allCases {
            for kind in AccessKind.allCases {
                for type in kind == .manage ? ManagedArea.names : Self.types {
                    let name = "\(row)-\(kind)-\(type)"
                    let client = try client(name)
                    try await Self.make(row, kind, type, client, in: access)
                    // What is on the disk is what is in memory.
                    let again = AccessControl(
                        folder: DataDirectory(path: folder.path),
                        log: Logger(component: "test") { _ in })
                    for table in [access, again].compactMap({ $0 }) {
                        XCTAssertEqual(code(table, client, kind, type), row.expected, name)
                        let other = kind == .read ? AccessKind.share : .read
                        XCTAssertEqual(code(table, client, other, type), .notAsked, name)
                        XCTAssertEqual(
                            code(table, try self.client("stranger"), kind, type), .notAsked, name)
                        XCTAssertEqual(
                            code(table, try self.client(name, user: 4_712), kind, type),
                            .notAsked, name)
                        XCTAssertEqual(
                            code(table, try self.client(nil), kind, type), .notAsked, name)
                        XCTAssertEqual(
                            code(table, try self.client(nil, user: 0), kind, type), .granted, name)
                    }
                }
            }
        }
    }

    private func code(
        _ access: AccessControl, _ client: ServiceClient, _ kind: AccessKind, _ type: String
    ) -> AccessDecision? {
        do throws(AccessError) {
            try access.check(client, kind, [type])
            return .granted
        } catch {
            return AccessDecision(rawValue: error.code.rawValue)
        }
    }

    /// The program of a sink gets every kind of record of every type that is not denied to it.
    func testProgramOfASink_inEveryRow() async throws {
        let records = try Self.records()
        for (index, row) in Row.allCases.enumerated() where row != .asked {
            for record in records {
                for type in record.accessTypes {
                    let sink = "sink \(index) of \(type)"
                    let id = ClientID(programOfSink: sink)
                    let permission = access.permission(ofProgram: id)
                    _ = try await access.forget(id)
                    XCTAssertNil(try permission())
                    try await Self.make(row, .read, type, program(id), in: access)
                    let isGranted = row == .notAsked || row.expected == .granted
                    // All but one type: the other types of the record are denied, too.
                    let needsMore = row == .allDeniedButThis && record.accessTypes.count > 1
                    let permits = try permission()
                    XCTAssertEqual(
                        permits?(record) ?? true, isGranted && !needsMore,
                        "\(row) \(type)")
                }
            }
        }
        try folder.write(Array("{".utf8), to: "access.json")
        access.reload()
        let permission = access.permission(ofProgram: ClientID(programOfSink: "mine"))
        XCTAssertThrowsError(try permission())
    }

    private func program(_ id: ClientID) -> ServiceClient {
        let client = ServiceClient(transport: id.transport, user: nil, isOwner: false)
        _ = client.introduce(.init(name: id.name, purpose: nil))
        return client
    }

    func testProgramsOfSinks_haveDifferentPlainNames() {
        let sinks = ["mine", "my sink", "mysink", "sinkmysink", "schön", "schon", "", "日本", "日本語"]
        let ids = sinks.map { ClientID(programOfSink: $0) }
        XCTAssertEqual(Set(ids).count, sinks.count)
        XCTAssertEqual(ids[0].description, "exec:-:mine")
        for id in ids { XCTAssertEqual(ClientID(id.description), id) }
    }

    func testUnreadableTable_isAFailure_exceptForTheOwner() async throws {
        try folder.write(Array("{".utf8), to: "access.json")
        access.reload()
        XCTAssertThrowsError(try access.check(client("a"), .read, ["heartRate"])) {
            XCTAssertEqual(($0 as? AccessError)?.code, .failure)
        }
        XCTAssertNoThrow(try access.check(client(nil, user: 0), .read, ["heartRate"]))
        do {
            _ = try await access.decide(try XCTUnwrap(client("a").id), [.read: .all], .granted)
            XCTFail("changed a file that cannot be read")
        } catch {}
        try folder.write(Array(#"{"v":1,"clients":{}}"#.utf8), to: "access.json")
        access.reload()
        XCTAssertThrowsError(try access.check(client("a"), .read, ["heartRate"])) {
            XCTAssertEqual(($0 as? AccessError)?.code, .notAsked)
        }
    }

    func testClientsThatWait_areLimitedForEachUser() async throws {
        for number in 0..<AccessControl.waitingLimit {
            try await Self.make(.asked, .read, "heartRate", client("a\(number)"), in: access)
        }
        do {
            try await Self.make(.asked, .read, "heartRate", client("more"), in: access)
            XCTFail("no limit")
        } catch {}
        // Asking again, another user and the owner's grants are not concerned.
        try await Self.make(.asked, .read, "bodyMass", client("a0"), in: access)
        try await Self.make(.asked, .read, "heartRate", client("b", user: 7), in: access)
        try await Self.make(.granted, .read, "heartRate", client("c"), in: access)
    }

    func testClientIDs_areReadBack_andOthersAreNone() {
        for text in ["control:1001:dash", "http:-:a.b", "exec:root:x_y"] {
            XCTAssertEqual(ClientID(text)?.description, text)
        }
        for text in ["", "a:b", "a:b:c:d", ":1:a", "a::b", "a:1:", "a:--:b", "a:1:b\n", "a:/:b"] {
            XCTAssertNil(ClientID(text), text)
        }
    }

    // MARK: Requests

    /// The answers to requests of a client whose access was decided before.
    private func answers(
        _ requests: [String], of client: ServiceClient
    ) async throws -> [String] {
        let (gateway, service) = try ServiceFixture.make(folder: folder.path)
        let channel = RecordingChannel(client)
        _ = await gateway.run {
            for request in requests {
                await RequestRouter().answer(Array(request.utf8), service, channel)?
                    .stream?.cancel()
            }
        }
        return channel.lines
    }

    func testRequests_thatAreForTheOwner_areDeniedToOthers() async throws {
        let names = RequestRouter.all.filter { $0.audience == .owner }.map(\.name)
        XCTAssertEqual(
            Set(RequestRouter.all.map(\.name)).subtracting(names),
            [
                "status", "tap", "add", "ingest", "query", "workout", "ping", "hello", "access",
                "requestAccess", "adopt", "forget", "devices", "people", "setPerson",
                "setDefaultPerson", "removePerson",
            ])
        let client = try client("a")
        _ = try await access.decide(
            try XCTUnwrap(client.id), [.read: .all, .share: .all, .manage: .all], .granted)
        let answers = try await answers(names.map { #"{"request":"\#($0)"}"# }, of: client)
        XCTAssertEqual(answers.count, names.count)
        for answer in answers { XCTAssertTrue(answer.contains(#""code":"denied""#), answer) }
    }

    func testHelloPingAccess_needNoGrant() async throws {
        let answers = try await answers(
            [
                #"{"request":"ping"}"#, #"{"request":"access"}"#,
                #"{"request":"hello","name":"dash","purpose":"a wall"}"#,
                #"{"request":"hello","name":"other"}"#, #"{"request":"hello","name":"a/b"}"#,
                #"{"request":"requestAccess","read":["heartRate","bloodPressure"]}"#,
                #"{"request":"requestAccess","read":["heartRat"]}"#,
                #"{"request":"requestAccess","read":["food"]}"#,
                #"{"request":"requestAccess"}"#,
                #"{"request":"requestAccess","read":["bodyMass"],"purpose":"a\nb"}"#,
            ], of: client(nil))
        XCTAssertTrue(answers[0].hasPrefix(#"{"ping":{"version":"#), answers[0])
        XCTAssertTrue(answers[1].contains(#""code":"notAsked""#), answers[1])
        XCTAssertTrue(answers[2].contains(#""client":"control:4711:dash""#), answers[2])
        XCTAssertTrue(answers[3].contains("another name"), answers[3])
        XCTAssertTrue(answers[4].contains(#""key":"name""#), answers[4])
        XCTAssertTrue(
            answers[5].contains(
                #""undecided":["bloodPressureDiastolic","bloodPressureSystolic","heartRate"]"#),
            answers[5])
        XCTAssertTrue(answers[6].contains("heartRate"), answers[6])
        for answer in answers[7...] { XCTAssertTrue(answer.contains("error"), answer) }
    }

    /// A sample, a category sample, a correlation, a workout and a device event.
    private static func records() throws -> [Record] {
        var decoder = RecordDecoder()
        let id = #""id":"0198f3c2-0000-8000-8000-00000000000"#
        let time = #""start":"2026-11-22T18:00:00Z","end":"2026-11-22T18:00:00Z""#
        func sample(_ key: Int, _ type: String, _ unit: String) -> String {
            #"{\#(id)\#(key)","type":"\#(type)",\#(time),"value":80,"unit":"\#(unit)"}"#
        }
        let lines = [
            sample(1, "heartRate", "count/min"),
            #"{"kind":"category",\#(id)2","type":"sleepAnalysis",\#(time),"value":4}"#,
            #"{"kind":"correlation",\#(id)3","type":"bloodPressure",\#(time),"samples":["#
                + sample(4, "bloodPressureSystolic", "mmHg") + ","
                + sample(5, "bloodPressureDiastolic", "mmHg") + "]}",
            #"{"kind":"workout",\#(id)6","activity":"running",\#(time),"#
                + #""totals":[{"type":"activeEnergyBurned","sum":3,"unit":"kcal"}]}"#,
            #"{"kind":"event",\#(id)7","event":"device","at":"2026-11-22T18:00:00Z","#
                + #""device":{"name":"a"},"state":{"connection":"connected"}}"#,
        ]
        return try lines.map { try decoder.decode(Array($0.utf8)) }
    }

    func testRecords_needEveryMemberAndTotal() throws {
        let now = Instant(nanosecondsSince1970: 1_795_000_000_000_000_000)
        func id(_ key: UInt64) -> RecordID {
            RecordID.make(start: now, device: "d", stream: "s", key: key)
        }
        let members = try [QuantityType.bloodPressureSystolic, .bloodPressureDiastolic].enumerated()
            .map { index, type in
                Correlation.Member.quantity(
                    try QuantitySample(
                        id: id(UInt64(index)), type: type, start: now, end: now,
                        quantity: Quantity(100, .millimeterOfMercury)))
            }
        let pressure = Record.correlation(
            try Correlation(id: id(3), type: .bloodPressure, start: now, end: now, samples: members)
        )
        let workout = Record.workout(
            try Workout(
                id: id(4), activity: try XCTUnwrap(WorkoutActivity(customName: "stair-run")),
                start: now, end: now.adding(nanoseconds: 1_000_000_000),
                totals: [WorkoutTotal(.activeEnergyBurned, sum: Quantity(3, .kilocalorie))]))
        for record in [pressure, workout] {
            let types = record.accessTypes
            XCTAssertEqual(types.count, 2)
            var all = AccessDecisions()
            all.decide(.types(Set(types)), .granted)
            XCTAssertTrue(all.permits(record))
            for type in types {
                var part = all
                part.decide(.types([type]), .denied)
                XCTAssertFalse(part.permits(record), type)
            }
        }
    }
}
