import GatewayCore
import GatewayTesting
import Glibc
import HealthModel
import JSON
import Readings
import Synchronization
import XCTest

@testable import Exec

/// Tests of programs whose lines cannot be used.
final class UnusableLinesTests: XCTestCase {
    /// The problems that a source has noted.
    private final class ProblemLog: ReadingInlet {
        let problems: AsyncStream<LinkError?>
        private let signal: AsyncStream<LinkError?>.Continuation

        init() {
            (problems, signal) = AsyncStream.makeStream()
        }

        func report(_ report: DeviceReport) async {}

        func note(problem: LinkError?) async { signal.yield(problem) }
    }

    /// The devices that a source has reported, and what it has discarded itself.
    private final class DeviceLog: ReadingInlet {
        private let state = Mutex((devices: Set<String>(), discarded: 0, dropped: 0))

        var devices: Set<String> { state.withLock { $0.devices } }
        var discarded: Int { state.withLock { $0.discarded } }
        var dropped: Int { state.withLock { $0.dropped } }

        func report(_ report: DeviceReport) async {
            state.withLock { state in
                state.devices.insert(report.device)
                if case .dropped(let drops) = report.content {
                    state.dropped += drops.values.reduce(0, +)
                }
            }
        }

        func note(discarded: [DropReason: Int]) async {
            state.withLock { $0.discarded += discarded.values.reduce(0, +) }
        }
    }

    /// A program without a usable line has no device, and one whose lines name theirs has no other one.
    func testUnusableLines_makeNoDevice() async throws {
        let strap = #"{"device":"strap","reading":"instant","type":"heartRate","value":72}"#
        for (lines, devices, discarded, dropped) in [
            (["x", "y"], [], 2, 0), (["x", strap, "y"], ["strap"], 2, 0),
            (["x", Self.reading, "y"], ["own"], 0, 2), ([Self.reading, "x"], ["own"], 0, 1),
            ([strap, Self.damaged, Self.damaged], ["strap"], 1, 0),
            ([Self.damaged, Self.reading], ["own"], 0, 1),
        ] as [([String], Set<String>, Int, Int)] {
            let fixture = try ProgramFixture()
            let inlet = DeviceLog()
            // Printed at once, so that the reader has them together.
            let text = lines.joined(separator: "\n")
            let source = try fixture.source(script: "printf '%s\n' '\(text)'")
            _ = try? await source.run(into: inlet)
            XCTAssertEqual(inlet.devices, devices, "\(lines)")
            XCTAssertEqual(inlet.discarded, discarded, "\(lines)")
            XCTAssertEqual(inlet.dropped, dropped, "\(lines)")
        }
    }

    /// Input that a program has discarded, with a number, so that its second time is a repetition.
    private static let damaged = #"{"discarded":"damaged","session":"a","seq":1}"#
    private static let reading = #"{"reading":"instant","type":"heartRate","value":72}"#

    func testSource_thatPrintsNothingElse_isAProblem_untilAUsableLineComes() async throws {
        let fixture = try ProgramFixture()
        XCTAssertEqual(mkfifo(fixture.folder.path("start"), 0o600), 0)
        let source = try fixture.source(
            script: """
                for i in $(seq 21); do echo '{"reading":"instant"}'; done
                read -r start < "$0/start"; echo '\(Self.reading)'; cat
                """)
        let inlet = ProblemLog()
        let running = Task { try await source.run(into: inlet) }
        var problems = inlet.problems.makeAsyncIterator()
        let none = await problems.next()
        XCTAssertEqual(none, .some(nil))
        let problem = await problems.next()
        XCTAssertEqual(
            problem??.description,
            "`sh` prints only lines that cannot be used; see the reasons in the log")
        close(open(fixture.folder.path("start"), O_WRONLY | O_CLOEXEC))
        let last = await problems.next()
        XCTAssertEqual(last, .some(nil))
        running.cancel()
        _ = await running.result
    }

    /// The place of a byte tells something about the content.
    func testBinaryOutput_isLoggedWithoutPlaces() async throws {
        let fixture = try ProgramFixture()
        let source = try fixture.source(
            script: #"for text in '\377' 'a\377' 'ab\377'; do printf "$text\n"; done"#)
        _ = try? await source.run(into: RecordingInlet())
        let lines = fixture.log.all.filter { $0.contains("discarding a line") }
        XCTAssertEqual(lines.count, 1, "\(lines)")
        XCTAssertTrue(lines[0].hasSuffix("reason=the line is not valid UTF-8"), lines[0])
    }

    func testBinaryAnswer_isReportedWithoutPlaces() async throws {
        let fixture = try ProgramFixture()
        let node = fixture.settings(script: #"read -r line; printf 'ab\377\n'; cat > /dev/null"#)
        let sink = try ExecSink.factory.make(
            try node.object(keys: ["use"] + ExecSink.factory.keys), fixture.context)
        do {
            try await sink.write([Record]())
            XCTFail("no error")
        } catch let error as SinkError {
            XCTAssertEqual(
                error,
                .retry(
                    reason: "`sh` has answered wrongly: the line is not valid UTF-8", after: nil))
        }
    }
}
