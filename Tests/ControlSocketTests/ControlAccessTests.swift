import GatewayTesting
import HealthModel
import XCTest

@testable import ControlSocket
@testable import GatewayCore
@testable import GatewayHost
@testable import Platform

/// The access of a client of another user, over a real socket.
final class ControlAccessTests: ControlTestCase {
    /// What a client gets for a type after each decision: the code of the error, or `granted`.
    private static let rows: [(decide: AccessDecision?, code: String)] = [
        (nil, "notAsked"), (.undecided, "undecided"), (.denied, "denied"), (.granted, "granted"),
        (.denied, "denied"),
    ]

    private func code(of answer: String?) -> String {
        guard let answer else { return "closed" }
        for code in ["notAsked", "undecided", "denied", "failure"]
        where answer.contains("\"code\":\"\(code)\"") {
            return code
        }
        return answer.contains("\"error\"") ? answer : "granted"
    }

    private func decide(
        _ decision: AccessDecision?, _ kind: AccessKind, _ type: String,
        _ client: ControlTestClient, _ served: Served
    ) async throws {
        switch decision {
        case nil, .notAsked?: break
        case .undecided?:
            _ = try await client.ask(
                #"{"request":"requestAccess","\#(kind.rawValue)":["\#(type)"]}"#)
        case .granted?, .denied?:
            let id = try XCTUnwrap(ClientID("control:4711:dash"))
            _ = try await served.service.access.decide(
                id, [kind: .types([type])], decision == .granted ? .granted : .denied)
        }
    }

    func testRead_ofEveryType_inEveryState() async throws {
        let served = try serve(asUser: 4_711)
        let client = try served.client()
        let tooEarly = try await client.ask(#"{"request":"tap","type":"heartRate"}"#)
        XCTAssertEqual(code(of: tooEarly), "notAsked")
        _ = try await client.ask(#"{"request":"hello","name":"dash"}"#)
        for type in ["heartRate", "bodyMass", "sleepAnalysis"] {
            for row in Self.rows {
                try await decide(row.decide, .read, type, client, served)
                let tap = try served.client()
                _ = try await tap.ask(#"{"request":"hello","name":"dash"}"#)
                let answer = try await tap.ask(#"{"request":"tap","type":"\#(type)"}"#)
                XCTAssertEqual(code(of: answer), row.code, "\(type) \(row)")
                await tap.leave()
            }
        }
        await served.stop()
    }

    func testShare_ofEveryType_inEveryState() async throws {
        let served = try serve(asUser: 4_711)
        let client = try served.client()
        _ = try await client.ask(#"{"request":"hello","name":"dash"}"#)
        let ready = AsyncStream.makeStream(of: Void.self)
        let done = AsyncStream.makeStream(of: Void.self)
        let gateway = Task {
            _ = await served.gateway.run {
                ready.continuation.yield()
                for await _ in done.stream { return }
            }
        }
        for await _ in ready.stream { break }
        var number = 0
        for (type, unit) in [("heartRate", "count/min"), ("bodyMass", "kg")] {
            for row in Self.rows {
                try await decide(row.decide, .share, type, client, served)
                number += 1
                let time = "2026-11-22T18:00:00Z"
                let answer = try await client.ask(
                    #"{"request":"ingest","records":[{"id":"0198f3c2-0000-8000-8000-00000000000\#(number % 10)","#
                        + #""type":"\#(type)","value":70,"unit":"\#(unit)","start":"\#(time)","end":"\#(time)"}]}"#
                )
                XCTAssertEqual(code(of: answer), row.code, "\(type) \(row) \(answer ?? "")")
            }
        }
        done.continuation.yield()
        await gateway.value
        await served.stop()
    }

    func testClientsOfOtherUsers_leavePlacesForTheOwner() async throws {
        let served = try serve(asUser: 4_711)
        var clients: [ControlTestClient] = []
        for _ in 0..<ControlClients.othersLimit {
            let client = try served.client()
            let answer = try await client.ask(#"{"request":"hello","name":"dash"}"#)
            XCTAssertTrue(answer?.contains("hello") ?? false, answer ?? "closed")
            clients.append(client)
        }
        let more = try served.client()
        let refusal = try await more.line()
        XCTAssertTrue(refusal?.contains("too many clients") ?? false, refusal ?? "closed")
        XCTAssertLessThan(ControlClients.othersLimit, ControlClients.limit)
        await clients[0].leave()
        await served.stop()
    }

    func testTapWithoutType_deliversWhatIsGranted_andARevokedTypeNoLonger() async throws {
        let served = try serve(asUser: 4_711)
        let client = try served.client()
        _ = try await client.ask(#"{"request":"hello","name":"dash"}"#)
        let id = try XCTUnwrap(ClientID("control:4711:dash"))
        _ = try await served.service.access.decide(
            id, [.read: .types(["heartRate"])], .granted)
        let first = try await client.ask(#"{"request":"tap"}"#)
        XCTAssertEqual(first, #"{"tap":{}}"#)
        let rates = try samples(2), masses = try samples(2, .bodyMass)
        served.live.offer(masses)
        served.live.offer(rates)
        let lines = try await client.lines(2)
        XCTAssertEqual(lines, self.lines(of: rates))
        _ = try await served.service.access.decide(
            id, [.read: .types(["heartRate"])], .denied)
        served.live.offer(rates)
        _ = try await served.service.access.decide(
            id, [.read: .types(["bodyMass"])], .granted)
        served.live.offer(masses)
        let next = try await client.lines(2)
        XCTAssertEqual(next, self.lines(of: masses))
        await served.stop()
    }
}
