import Foundation
import GatewayTesting
import Serial
import XCTest

/// `follow` of a running gateway, through its control socket.
final class FollowRunTests: XCTestCase {
    private func stop(_ gateway: RunningCommand) async throws {
        await gateway.send(SIGTERM)
        let ending = try await gateway.waitForEnd(within: 10)
        XCTAssertEqual(ending, .exited(0))
    }

    func testSimulation_sendsTheHeartRateAndTheSteps_alsoToALateClient() async throws {
        let home = try Home()
        let gateway = try home.start("run", "--simulate")
        try await gateway.waitForLines(with: "running", on: .error)
        let folder = "\(home.dataDirectory)/simulation"
        var hasRate = false
        var hasSteps = false
        let lines = ControlClient.lines(#"{"request":"follow"}"#, in: folder) { line in
            hasRate = hasRate || line.contains(#""heart":{"state":"measured","rate":"#)
            hasSteps = hasSteps || line.contains(#""type":"stepCount""#)
            return hasRate && hasSteps
        }
        XCTAssertTrue(lines?.first?.hasPrefix(#"{"state":{"time":""#) ?? false, "\(lines ?? [])")
        XCTAssertTrue(
            lines?.dropFirst().allSatisfy { $0.hasPrefix(#"{"person":{"name":"me""#) } ?? false,
            "\(lines ?? [])")

        let late = ControlClient.ask(#"{"request":"follow","person":"me"}"#, in: folder) ?? ""

        XCTAssertTrue(late.contains(#""state":"measured""#), late)
        XCTAssertTrue(late.contains(#""type":"stepCount""#), late)
        try await stop(gateway)
    }

    func testPeople_whoAreAddedChangedAndRemoved_areANewState() async throws {
        let home = try Home()
        try home.configure("{ people: { ada: {} } }")
        let port = try PseudoTerminal()
        _ = try await home.run(
            "adopt", port.slavePath, "--protocol", #"{"use":"lines","preset":"steps"}"#)
        let gateway = try home.start("run")
        try await gateway.waitForLines(with: ": connected", on: .error)
        let (followed, states) = AsyncStream.makeStream(of: [String].self)
        let folder = home.dataDirectory
        let follower = Thread {
            var count = 0
            let lines = ControlClient.lines(#"{"request":"follow"}"#, in: folder) { line in
                states.yield([line])
                if line.hasPrefix(#"{"state""#), !line.contains("bob"), count > 0 { return true }
                count += 1
                return false
            }
            states.yield(lines ?? [])
            states.finish()
        }
        follower.start()
        var lines = followed.makeAsyncIterator()
        let first = await lines.next()?.first ?? ""
        XCTAssertTrue(first.contains(#"{"name":"ada","wall":false"#), first)
        let set = try await home.run("people", "set", "bob", "--wall", "true")
        XCTAssertEqual(set.ending, .exited(0), set.error)
        let removed = try await home.run("people", "remove", "bob")
        XCTAssertEqual(removed.ending, .exited(0), removed.error)
        var all: [String] = []
        while let next = await lines.next() { all = next }
        let sent = all.filter { $0.hasPrefix(#"{"state""#) }
        XCTAssertEqual(sent.count, 3, "\(all)")
        XCTAssertTrue(sent[1].contains(#"{"name":"bob","wall":true"#), sent[1])
        XCTAssertFalse(sent[2].contains("bob"), sent[2])
        try await stop(gateway)
    }
}
