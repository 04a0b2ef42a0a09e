import GatewayTesting
import Platform
import XCTest

@testable import GatewayCore

final class RadioProblemsTests: XCTestCase {
    private static let off = LinkError("hci0 is powered off", remedy: "turn it on")
    private static let absent = LinkError("no adapter")
    private static let ended = LinkError("bluetoothd is not running")

    /// The problems of a gateway that runs.
    private final class Scene {
        let clock = ManualClock()
        let problems: RadioProblems
        private let lines: AsyncStream<String>
        private let task: Task<Void, Never>

        init() {
            let (lines, signal) = AsyncStream.makeStream(of: String.self)
            self.lines = lines
            let log = Logger(component: "test") { record in
                let fields = record.fields.map { " \($0.key)=\($0.value)" }.sorted().joined()
                signal.yield("\(record.component): \(record.message)\(fields)")
            }
            let problems = RadioProblems(clock: clock, log: log)
            self.problems = problems
            task = Task {
                await problems.run()
                signal.finish()
            }
        }

        func settle() async {
            await clock.waitForSleepers(1)
            clock.advance(seconds: RadioProblems.settleSeconds)
        }

        /// The lines of the whole test.
        func end() async -> [String] {
            task.cancel()
            return await lines.reduce(into: []) { $0.append($1) }
        }

        func next(_ count: Int) async -> [String] {
            var found: [String] = []
            for await line in lines {
                found.append(line)
                if found.count == count { break }
            }
            return found
        }
    }

    func testEndOfBluetoothd_isOneLine_andItsReturn() async {
        let scene = Scene()
        let members = ["straps", "gym", "watch"].map { scene.problems.member(named: $0) }
        for problem in [Self.off, Self.absent, Self.ended] {
            for member in members { member.set(problem) }
        }
        await scene.settle()
        let begun = await scene.next(1)
        for member in members { member.set(Self.off) }
        for member in members { member.set(nil) }
        await scene.settle()
        let ended = await scene.next(1)
        let rest = await scene.end()

        XCTAssertEqual(
            begun,
            [
                "bluetooth: Bluetooth unavailable affected=gym, straps, watch "
                    + "reason=bluetoothd is not running"
            ])
        XCTAssertEqual(
            ended, ["bluetooth: Bluetooth recovered affected=gym, straps, watch"])
        XCTAssertEqual(rest, [])
    }

    func testDifferentProblems_areLinesOfTheirOwn() async {
        let scene = Scene()
        let (straps, gym) = (
            scene.problems.member(named: "straps"), scene.problems.member(named: "gym")
        )
        straps.set(Self.absent)
        gym.set(Self.off)
        await scene.settle()
        let begun = await scene.next(2)
        XCTAssertEqual(
            begun,
            [
                "bluetooth: Bluetooth unavailable affected=gym "
                    + "reason=hci0 is powered off; turn it on",
                "bluetooth: Bluetooth unavailable affected=straps reason=no adapter",
            ])
        gym.set(Self.absent)
        await scene.settle()
        let changed = await scene.next(1)
        XCTAssertEqual(
            changed, ["bluetooth: Bluetooth unavailable affected=gym reason=no adapter"])
        _ = await scene.end()
    }

    func testProblemThatIsOver_isNotLogged() async {
        let scene = Scene()
        let member = scene.problems.member(named: "straps")
        member.set(Self.off)
        await scene.clock.waitForSleepers(1)
        member.set(nil)
        scene.clock.advance(seconds: 10)
        let lines = await scene.end()
        XCTAssertEqual(lines, [])
    }

    func testMembersThatLeave_areLoggedBefore_andNotAsRecovered() async {
        let scene = Scene()
        let members = ["straps", "gym"].map { scene.problems.member(named: $0) }
        for member in members { member.set(Self.ended) }
        for member in members { member.leave() }
        let lines = await scene.end()
        XCTAssertEqual(
            lines,
            [
                "bluetooth: Bluetooth unavailable affected=gym, straps "
                    + "reason=bluetoothd is not running"
            ])
    }
}
