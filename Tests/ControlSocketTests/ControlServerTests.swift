import Foundation
import GatewayTesting
import XCTest

@testable import ControlSocket
@testable import GatewayCore
@testable import GatewayHost
@testable import HealthModel
@testable import Platform

final class ControlServerTests: ControlTestCase {
    func testRequests_areAnsweredInOrder_howeverTheyAreSplit() async throws {
        let served = try serve()
        let client = try served.client()
        await client.send("\n{\"request\":\"status\"}\n{\"request\":\"stat", end: "")
        await client.send("us\"}\nnonsense\n", end: "")
        let answers = try await client.lines(3)
        XCTAssertEqual(answers.prefix(2), [#"{"fine":true}"#, #"{"fine":true}"#])
        XCTAssertTrue(answers[2].hasPrefix(#"{"error":"#), answers[2])
        await served.stop()
    }

    func testTap_ofAnUnknownPerson_isAnErrorWithTheKey() async throws {
        let served = try serve()
        let client = try served.client()
        let answer = try await client.ask(#"{"request":"tap","person":"adda"}"#)
        XCTAssertEqual(
            answer,
            #"{"error":"person: unknown person `adda`; did you mean `ada`?","key":"person"}"#)
        await served.stop()
    }

    func testStop_whileRequestsWaitForTheWorkouts_endsTheConnections() async throws {
        let served = try serve([.workout])
        let clients = try ["status", "start", "pause"].map { action in
            (action, try served.client())
        }
        for (action, client) in clients {
            await client.send(#"{"request":"workout","action":"\#(action)","person":"ada"}"#)
        }
        // Clients are accepted in order, so the others are connected when this one has an answer.
        _ = try await served.client().ask(#"{"request":"status"}"#)
        let ended = expectation(description: "the server has ended")
        Task {
            await served.stop()
            ended.fulfill()
        }
        await fulfillment(of: [ended], timeout: 30)
        for (action, client) in clients {
            let answer = try await client.line()
            XCTAssertNil(answer, action)
        }
    }

    func testRequest_thatIsWrong_isAnswered_atEveryTruncation() async throws {
        let served = try serve()
        let client = try served.client()
        let request = String(
            decoding: ControlRequest.tap(TapFilter(type: .quantity(.heartRate), person: "ada"))
                .line,
            as: UTF8.self)
        for count in 1..<request.count {
            let answer = try await client.ask(String(request.prefix(count)))
            XCTAssertTrue(answer?.hasPrefix(#"{"error":"#) ?? false, "\(answer ?? "")")
            let cut = try served.client()
            await cut.send(String(request.prefix(count)), end: "")
            await cut.endSending()
            let cutAnswer = try await cut.line()
            XCTAssertTrue(cutAnswer?.hasPrefix(#"{"error":"#) ?? false, "\(cutAnswer ?? "")")
            let end = try await cut.line()
            XCTAssertNil(end)
        }
        let answer = try await client.ask(request)
        XCTAssertEqual(answer, #"{"tap":{"type":"heartRate","person":"ada"}}"#)
        await served.stop()
    }

    func testRandomBytes_leaveTheServerAsItWas() async throws {
        let served = try serve()
        var generator = SeededGenerator(seed: 7)
        for _ in 0..<50 * FuzzFactor.current {
            let client = try served.client()
            let count = Int.random(in: 1...3_000, using: &generator)
            await client.send((0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) })
            await client.endSending()
            _ = try await client.readToEnd()
        }
        let answer = try await served.client().ask(#"{"request":"status"}"#)
        XCTAssertEqual(answer, #"{"fine":true}"#)
        await served.stop()
    }

    func testRequest_thatIsTooLong_endsTheConnection() async throws {
        let served = try serve()
        let client = try served.client()
        await client.send(
            String(repeating: "x", count: ControlRequest.maximumLineLength + 1), end: "")
        let answer = try await client.line()
        XCTAssertEqual(answer, #"{"error":"the request must not exceed 65536 bytes"}"#)
        let end = try await client.line()
        XCTAssertNil(end)
        await served.stop()
    }

    func testTap_sendsTheFilteredRecordsPublishedFromThenOn() async throws {
        let served = try serve()
        let everything = try served.client()
        let steps = try served.client()
        let ada = try served.client()
        _ = try await everything.ask(#"{"request":"tap"}"#)
        _ = try await steps.ask(#"{"request":"tap","type":"stepCount"}"#)
        _ = try await ada.ask(#"{"request":"tap","person":"ada"}"#)
        let batches = [
            try samples(3), try samples(2, .rrInterval, person: "ada"),
            try samples(2, .runningSpeed, person: "bob"),
        ]
        for batch in batches { served.live.offer(batch) }
        let all = try await everything.lines(7)
        XCTAssertEqual(all, batches.flatMap(lines))
        let hers = try await ada.lines(2)
        XCTAssertEqual(hers, lines(of: batches[1]))
        // No record was of the tapped type: the next line answers another request.
        let answer = try await steps.ask(#"{"request":"status"}"#)
        XCTAssertEqual(answer, #"{"fine":true}"#)
        await served.stop()
    }

    func testTap_whenRequestedAgain_changesTheFilter() async throws {
        let served = try serve()
        let client = try served.client()
        _ = try await client.ask(#"{"request":"tap"}"#)
        let answer = try await client.ask(#"{"request":"tap","type":"runningSpeed"}"#)
        XCTAssertEqual(answer, #"{"tap":{"type":"runningSpeed"}}"#)
        let speeds = try samples(1, .runningSpeed)
        served.live.offer(try samples(5))
        served.live.offer(speeds)
        let line = try await client.line()
        XCTAssertEqual(line, lines(of: speeds).first)
        await served.stop()
    }

    func testTap_ofAClientThatHasClosedItsSide_continues() async throws {
        let served = try serve()
        let client = try served.client()
        await client.send(#"{"request":"tap"}"#, end: "")
        await client.endSending()
        let answer = try await client.line()
        XCTAssertEqual(answer, #"{"tap":{}}"#)
        let batch = try samples(2)
        served.live.offer(batch)
        let tapped = try await client.lines(2)
        XCTAssertEqual(tapped, lines(of: batch))
        await served.stop()
    }

    func testManyClients_allGetTheSameLines() async throws {
        let served = try serve()
        let clients = try (0..<40).map { _ in try served.client() }
        for client in clients { _ = try await client.ask(#"{"request":"tap"}"#) }
        let batches = try (1...50).map { try samples($0) }
        let expected = batches.flatMap(lines)
        let publishing = Task { for batch in batches { served.live.offer(batch) } }
        for client in clients {
            let tapped = try await client.lines(expected.count)
            XCTAssertEqual(tapped, expected)
        }
        await publishing.value
        XCTAssertEqual(served.clients.counts, StatusReport.Clients(connected: 40))
        await served.stop()
    }

    func testClient_thatDoesNotRead_isDisconnected_andBlocksNoOther() async throws {
        let served = try serve()
        let slow = try (0..<2).map { _ in try served.client() }
        let quick = try served.client()
        for client in slow + [quick] { _ = try await client.ask(#"{"request":"tap"}"#) }
        let batch = try samples(1_000)
        let expected = lines(of: batch)
        // The socket buffers of the system come on top.
        for _ in 0..<(4 * ControlOutput.limit / batch.lines.bytes.count + 1) {
            served.live.offer(batch)
            let tapped = try await quick.lines(1_000)
            XCTAssertEqual(tapped, expected)
        }
        XCTAssertEqual(served.clients.counts.cutOff, 2)
        XCTAssertEqual(served.warnings.messages.count, 1, "\(served.warnings.messages)")
        for client in slow {
            let count = try await client.readToEnd()
            XCTAssertGreaterThan(count, 0)
            XCTAssertLessThan(count, 4 * ControlOutput.limit)
        }
        let answer = try await quick.ask(#"{"request":"status"}"#)
        XCTAssertEqual(answer, #"{"fine":true}"#)
        await served.stop()
    }

    func testClient_thatReadsLate_getsTheWholeBuffer() async throws {
        let served = try serve()
        let client = try served.client()
        _ = try await client.ask(#"{"request":"tap"}"#)
        let batch = try samples(1_000)
        let rounds = ControlOutput.limit / batch.lines.bytes.count
        for _ in 0..<rounds { served.live.offer(batch) }
        let expected = lines(of: batch)
        for _ in 0..<rounds {
            let tapped = try await client.lines(1_000)
            XCTAssertEqual(tapped, expected)
        }
        XCTAssertEqual(served.clients.counts.cutOff, 0)
        await served.stop()
    }

    func testClient_thatKeepsUp_getsABatchLargerThanTheBuffer() async throws {
        let served = try serve()
        let client = try served.client()
        _ = try await client.ask(#"{"request":"tap"}"#)
        let batch = try samples(10_000)
        XCTAssertGreaterThan(batch.lines.bytes.count, ControlOutput.limit)
        let expected = lines(of: batch)
        for _ in 0..<2 {
            served.live.offer(batch)
            let tapped = try await client.lines(10_000)
            XCTAssertEqual(tapped, expected)
        }
        XCTAssertEqual(served.clients.counts.cutOff, 0)
        await served.stop()
    }

    func testClient_oneTooMany_isRejected_untilAnotherLeaves() async throws {
        let served = try serve()
        let clients = try (0..<ControlClients.limit).map { _ in try served.client() }
        for client in clients { _ = try await client.ask(#"{"request":"status"}"#) }
        let refused = try served.client()
        let answer = try await refused.line()
        XCTAssertEqual(answer, #"{"error":"too many clients, limit 64; close one of them"}"#)
        let end = try await refused.line()
        XCTAssertNil(end)
        XCTAssertEqual(served.clients.counts, .init(connected: 64, refused: 1, cutOff: 0))
        await clients[0].leave()
        // Each rejection is an answer to wait for; a place is free when the answer differs.
        var last: String?
        for _ in 0..<10_000 where last != #"{"fine":true}"# {
            last = try await served.client().ask(#"{"request":"status"}"#)
        }
        XCTAssertEqual(last, #"{"fine":true}"#)
        XCTAssertEqual(served.warnings.messages.count, 1, "\(served.warnings.messages)")
        await served.stop()
    }

    func testClient_oneTooMany_takesThePlaceOfTheOneThatIsIdleForLongest() async throws {
        let clock = ManualClock()
        let served = try serve(clock: clock)
        let tapping = try served.client()
        _ = try await tapping.ask(#"{"request":"tap"}"#)
        let idle = try (2...ControlClients.limit).map { _ in try served.client() }
        // They are accepted in order.
        _ = try await idle[62].ask(#"{"request":"status"}"#)
        clock.advance(seconds: ControlClients.minimumIdleSeconds)
        _ = try await idle[0].ask(#"{"request":"status"}"#)

        let newest = try served.client()
        let answer = try await newest.ask(#"{"request":"status"}"#)

        XCTAssertEqual(answer, #"{"fine":true}"#)
        let farewell = try await idle[1].line()
        XCTAssertEqual(farewell?.contains("the client was idle"), true, farewell ?? "")
        let end = try await idle[1].line()
        XCTAssertNil(end)
        for client in [idle[0], idle[2], idle[62], newest] {
            let answer = try await client.ask(#"{"request":"status"}"#)
            XCTAssertEqual(answer, #"{"fine":true}"#)
        }
        XCTAssertEqual(served.clients.counts, .init(connected: 64, refused: 0, cutOff: 1))
        XCTAssertEqual(served.warnings.messages, [])
        served.live.offer(try samples(1))
        let tapped = try await tapping.line()
        XCTAssertNotNil(tapped)
        await served.stop()
    }

    func testStop_disconnectsEveryClient() async throws {
        let served = try serve()
        let idle = try served.client()
        let tapping = try served.client()
        let stuck = try served.client()
        for client in [tapping, stuck] { _ = try await client.ask(#"{"request":"tap"}"#) }
        let batch = try samples(1_000)
        for _ in 0..<4 { served.live.offer(batch) }
        _ = try await tapping.lines(4_000)
        await served.stop()
        for client in [idle, tapping] {
            let end = try await client.line()
            XCTAssertNil(end)
        }
        _ = try await stuck.readToEnd()
        XCTAssertEqual(served.clients.counts.connected, 0)
    }
}
