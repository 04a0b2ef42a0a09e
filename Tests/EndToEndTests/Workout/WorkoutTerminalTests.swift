import Foundation
import GatewayTesting
import HealthModel
import XCTest

/// The live screen of a workout in a terminal, from the strap to what a person reads.
final class WorkoutTerminalTests: XCTestCase {
    private typealias Reader = @Sendable ([String]) -> Int?

    private static let unicode = ["LANG": "C.UTF-8"]

    /// Ada's strap, and a terminal in which her workout goes on.
    private func start(
        _ person: String = "--person ada", columns: Int, rows: Int, _ environment: [String: String]
    ) async throws -> (WorkoutBox, BeatingStrap, TerminalPane) {
        let box = try await WorkoutBox(WorkoutBox.adaAndBob)
        let strap = await BeatingStrap(box.box, BluetoothBox.ada, rate: 142)
        await box.box.waitUntilHeard(BluetoothBox.ada)
        let pane = try await TerminalPane(
            box.home, columns: columns, rows: rows, environment: environment)
        try await pane.run("pulsegate workout start --activity running \(person)")
        return (box, strap, pane)
    }

    // MARK: The whole way

    func testLargeTerminal_hasTheRateInLargeDigits_andColours() async throws {
        try await follow(
            columns: 120, rows: 40, Self.unicode, { HeartScreen.drawnRate(in: $0) }
        ) { screen, styled in
            XCTAssertTrue(styled.contains("\u{1b}["), "it has colours")
            XCTAssertTrue(screen.contains { $0.contains("█") })
        }
    }

    func testOrdinaryTerminal_withoutColours() async throws {
        let environment = Self.unicode.merging(["NO_COLOR": "1"]) { $1 }
        try await follow(
            columns: 80, rows: 24, environment, { HeartScreen.drawnRate(in: $0) }
        ) { _, styled in
            XCTAssertFalse(styled.contains("\u{1b}["), styled)
        }
    }

    func testOrdinaryTerminal_thatHasASCIIOnly() async throws {
        try await follow(
            columns: 80, rows: 24, ["LANG": "C"], { HeartScreen.drawnRate(in: $0) }
        ) { screen, _ in
            XCTAssertTrue(screen.allSatisfy { $0.allSatisfy(\.isASCII) }, "\(screen)")
        }
    }

    func testSmallTerminal_hasTheRateAsText() async throws {
        try await follow(
            columns: 28, rows: 8, ["LANG": "C"], { HeartScreen.plainRate(in: $0) }
        ) { screen, _ in
            XCTAssertTrue(screen.allSatisfy { $0.allSatisfy(\.isASCII) }, "\(screen)")
        }
    }

    /// All that can be seen of a workout on a terminal of a size.
    private func follow(
        columns: Int, rows: Int, _ environment: [String: String], _ rate: @escaping Reader,
        check: ([String], String) -> Void
    ) async throws {
        let (box, strap, pane) = try await start(columns: columns, rows: rows, environment)
        let first = try await pane.wait(for: "142") { rate($0) == 142 }
        XCTAssertLessThanOrEqual(first.count - 1, rows)
        strap.beat(97)
        try await pane.wait(for: "97") { rate($0) == 97 }
        check(try await pane.screen(), try await pane.styledScreen())

        try await pane.type("p")
        try await pane.waitForText("PAUSED")
        try await pane.type("p")
        try await pane.waitForText("RUNNING")
        try await pane.type("l")
        try await pane.waitForText("lap 2")

        strap.loseContact()
        try await pane.wait(for: "NO CONTACT") {
            $0.contains { $0.contains("NO CONTACT") } && rate($0) == nil
        }
        strap.beat(133)
        try await pane.wait(for: "133") { rate($0) == 133 }
        await strap.leave()
        try await pane.wait(for: "LOST") {
            $0.contains { $0.contains("LOST") } && rate($0) == nil
        }
        await strap.comeBack(to: box.box)
        try await pane.wait(for: "133 again") { rate($0) == 133 }

        try await pane.type("s")
        try await pane.waitForText("stop? s again")
        try await pane.type("s")
        try await pane.waitForText("SAVED")
        try await pane.type("q")
        let end = try await pane.waitForPrompt()
        XCTAssertFalse(end.contains { $0.contains("SAVED") }, "the screen is the shell's again")
        XCTAssertFalse(end.contains { $0.contains("the workout continues") }, "\(end)")
        XCTAssertTrue(end.contains { $0.contains("paused for") }, "there is a summary: \(end)")
        try await box.box.end(box.gateway)
        let workouts = try await box.home.workouts()
        XCTAssertEqual(workouts.count, 1)
        XCTAssertEqual(workouts.first?.person, "ada")
        XCTAssertEqual(workouts.first?.events.map(\.kind), [.lap, .pause, .resume])
    }

    // MARK: The size

    func testResize_inTheMiddle_isFollowed() async throws {
        let (box, strap, pane) = try await start(columns: 120, rows: 40, Self.unicode)
        try await pane.wait(for: "142") { HeartScreen.drawnRate(in: $0) == 142 }
        let large = try await pane.screen()

        try await pane.resize(columns: 80, rows: 24)
        let ordinary = try await pane.wait(for: "the keys in row 24") {
            $0.count >= 24 && $0[23].contains("q leave") && HeartScreen.drawnRate(in: $0) == 142
        }
        XCTAssertNotEqual(Array(large.prefix(24)), Array(ordinary.prefix(24)))
        try await pane.resize(columns: 28, rows: 8)
        try await pane.wait(for: "plain text") {
            HeartScreen.plainRate(in: $0) == 142 && $0.contains("p pause l lap s stop q leave")
        }
        strap.beat(88)
        try await pane.resize(columns: 100, rows: 30)
        try await pane.wait(for: "88") {
            HeartScreen.drawnRate(in: $0) == 88 && $0.count >= 30 && $0[29].contains("q leave")
        }
        try await box.box.end(box.gateway)
    }

    // MARK: Leaving

    func testLeaving_continuesTheWorkout_andWatchShowsItAgain() async throws {
        let (box, strap, pane) = try await start(columns: 80, rows: 24, Self.unicode)
        try await pane.wait(for: "142") { HeartScreen.drawnRate(in: $0) == 142 }
        try await pane.type("q")
        try await pane.waitForPrompt()
        try await pane.waitForText("the workout continues")
        let live = try await box.status()
        XCTAssertEqual(live["ada"]?["state"] as? String, "running")

        strap.beat(76)
        try await pane.run("pulsegate workout watch")
        try await pane.wait(for: "76") { HeartScreen.drawnRate(in: $0) == 76 }
        try await pane.press("C-c")
        try await pane.waitForPrompt()
        let after = try await box.status()
        XCTAssertEqual(after["ada"]?["state"] as? String, "running", "^C only left the screen")
        try await box.box.end(box.gateway)
    }

    func testTheEnd_withoutRecovery_showsTheSummaryByItself() async throws {
        let (box, strap, pane) = try await start(columns: 80, rows: 24, Self.unicode)
        try await pane.wait(for: "142") { HeartScreen.drawnRate(in: $0) == 142 }
        strap.loseContact()
        try await pane.waitForText("NO CONTACT")
        try await box.workout("stop", "--person", "ada")
        let end = try await pane.waitForPrompt()
        XCTAssertTrue(end.contains { $0.contains("running · ada") }, "\(end)")
        try await box.box.end(box.gateway)
    }

    func testTheEnd_inAPause_doesNotWait() async throws {
        let (box, strap, pane) = try await start(columns: 80, rows: 24, Self.unicode)
        try await pane.wait(for: "142") { HeartScreen.drawnRate(in: $0) == 142 }
        try await pane.type("p")
        try await pane.waitForText("PAUSED")
        try await pane.type("s")
        try await pane.waitForText("stop? s again")
        try await pane.type("s")
        let end = try await pane.waitForPrompt()
        XCTAssertTrue(end.contains { $0.contains("paused for") }, "\(end)")
        try await box.box.end(box.gateway)
        withExtendedLifetime(strap) {}
    }

    func testTheGatewayStops_isReportedWithoutADiscardedWorkout() async throws {
        let (box, strap, pane) = try await start(columns: 80, rows: 24, Self.unicode)
        try await pane.wait(for: "142") { HeartScreen.drawnRate(in: $0) == 142 }
        try await box.box.end(box.gateway)
        try await pane.waitForText("the gateway has stopped; the workout continues")
        let end = try await pane.waitForPrompt()
        XCTAssertFalse(end.contains { $0.contains("discarded") }, "\(end)")
        withExtendedLifetime(strap) {}
    }

    // MARK: Without a gateway

    func testOwnGateway_interruptSaves_andShowsTheSummary() async throws {
        try await endOwnGateway(pressing: ["C-c"])
    }

    func testOwnGateway_leavingIsAskedFor_andSaves() async throws {
        try await endOwnGateway(pressing: ["q", "s"])
    }

    private func endOwnGateway(
        pressing keys: [String], line: UInt = #line
    ) async throws {
        let home = try Home()
        let pane = try await TerminalPane(home, columns: 80, rows: 24, environment: Self.unicode)
        try await pane.run("pulsegate workout start --simulate --activity rowing")
        let live = try await pane.wait(for: "a rate") { HeartScreen.drawnRate(in: $0) != nil }
        XCTAssertFalse(live.contains { $0.contains("leave") }, "\(live)", line: line)
        for (index, key) in keys.enumerated() {
            if index > 0 { try await pane.waitForText("stop? s again") }
            try await pane.press(key)
        }
        if keys.count > 1 {
            // Whether it is saved by then or not.
            try await pane.wait(for: "the end") { screen in
                screen.contains { $0.contains("STOPPED") || $0.contains("SAVED") }
            }
            try await pane.press("q")
        }
        let end = try await pane.waitForPrompt()
        XCTAssertTrue(end.contains { $0.contains("rowing · me") }, "\(end)", line: line)
        XCTAssertFalse(end.contains { $0.contains("the workout continues") }, "\(end)", line: line)
        let kept = try await home.workouts(
            inStoreAt: "\(home.dataDirectory)/simulation/health.sqlite")
        XCTAssertEqual(kept.map(\.activity), [WorkoutActivity(.rowing)], line: line)
    }
}
