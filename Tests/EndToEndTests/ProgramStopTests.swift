import Foundation
import GatewayCore
import GatewayTesting
import Glibc
import HealthModel
import Platform
import XCTest

/// Programs that do not end, and do not stop printing, keep neither `status` nor the end waiting.
final class ProgramStopTests: XCTestCase {
    private static let source = """
        trap '' TERM
        echo $$ > "$1/source"
        (trap '' TERM; while :; do sleep 1; done) &
        echo $! > "$1/child"
        (trap '' PIPE TERM; while :; do echo '{"reading":"instant","type":"heartRate","value":72}'; done) &
        echo started >&2
        while :; do sleep 1; done
        """
    private static let sink = """
        trap '' TERM
        echo $$ > "$1/sink"
        while :; do sleep 1; done
        """

    func testStubbornPrograms_endWithTheGateway() async throws {
        let home = try Home()
        let folder = home.folder.path
        try home.folder.write(Array(Self.source.utf8), to: "source.sh")
        try home.folder.write(Array(Self.sink.utf8), to: "sink.sh")
        try home.configure(
            """
            { sources: { own: { use: "exec", command: ["sh", "\(folder)/source.sh", "\(folder)"] } },
              sinks: { store: "sqlite",
                       mine: { use: "exec", command: ["sh", "\(folder)/sink.sh", "\(folder)"] } } }
            """)
        let gateway = try home.start("run")
        // The sink's program starts with the first batch, after the source's.
        try await gateway.waitForLines(2, with: "program started", on: .error)
        let clock = SystemClock()
        let asked = clock.now()
        XCTAssertNotNil(ControlClient.published(in: home.dataDirectory))
        XCTAssertLessThan(clock.now().seconds(since: asked), 1)
        let stopped = clock.now()
        await gateway.send(SIGTERM)
        let ending = try await gateway.waitForEnd(within: 10)
        XCTAssertEqual(ending, .exited(0))
        XCTAssertLessThan(clock.now().seconds(since: stopped), 5)
        for name in ["source", "child", "sink"] {
            let text = try String(contentsOfFile: home.folder.path(name), encoding: .utf8)
            let process = try XCTUnwrap(pid_t(text.dropLast()))
            XCTAssertTrue(Self.isDead(process), name)
        }
        let ledger = try home.ledger()
        XCTAssertEqual(ledger.imbalances, [])
        XCTAssertGreaterThan(ledger.ingest.published, 0)
    }

    private static func isDead(_ process: pid_t) -> Bool {
        guard kill(process, 0) == 0 else { return true }
        let state = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
        return state?.contains(") Z ") ?? true
    }
}
