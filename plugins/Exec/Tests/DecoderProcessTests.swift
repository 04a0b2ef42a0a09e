import GatewayCore
import GatewayTesting
import Glibc
import JSON
import Platform
import Programs
import Readings
import XCTest

@testable import Exec

/// Tests of the process of a decoder, without a device.
final class DecoderProcessTests: XCTestCase {
    private func process(_ fixture: ProgramFixture, script: String) throws -> DecoderProcess {
        let settings = try fixture.settings(script: script).object(
            keys: ["use"] + ProgramSettings.keys)
        let program = Program(try ProgramSettings(settings), fixture.context)
        return DecoderProcess(program, for: "foot", fixture.context)
    }

    func testRejections_beyondTheAllowance_areNotSentToTheProgram() throws {
        let clock = ManualClock()
        let decoder = try process(ProgramFixture(clock: clock), script: "true")
        for _ in 0..<1_000 { _ = decoder.send(.rejected(reason: "the key unit is missing")) }
        XCTAssertEqual(decoder.unreadCount, 20)
        clock.advance(seconds: 3)
        for _ in 0..<1_000 { _ = decoder.send(.rejected(reason: "the key unit is missing")) }
        XCTAssertEqual(decoder.unreadCount, 26)
    }

    func testProgramThatDoesNotRead_isAProblem_untilItReads() async throws {
        let clock = ManualClock()
        let fixture = try ProgramFixture(clock: clock)
        XCTAssertEqual(mkfifo(fixture.folder.path("start"), 0o600), 0)
        // It opens the pipe, and reads its input once the test opens it too.
        let decoder = try process(
            fixture, script: #"read -r start < "$0/start"; read -r event; echo read; cat"#)
        let (outputs, signal) = AsyncStream.makeStream(of: DecoderOutput.self)
        let running = Task {
            await decoder.run { outputs, _ in for output in outputs { signal.yield(output) } }
        }
        var received = outputs.makeAsyncIterator()
        _ = decoder.send(.event(AdapterEvent(.opened, at: clock.now())))
        await clock.waitForSleepers(1)
        clock.advance(seconds: DecoderProcess.readSeconds)
        let problem = await received.next()
        XCTAssertEqual(problem?.problem, "`sh` does not read its standard input")
        XCTAssertEqual(fixture.log.count(of: "does not read"), 1)

        await clock.waitForSleepers(1)
        let pipe = open(fixture.folder.path("start"), O_WRONLY | O_CLOEXEC)
        close(pipe)
        guard case .line? = await received.next() else { return XCTFail("no line") }
        clock.advance(seconds: DecoderProcess.readSeconds)
        guard case .problem(nil)? = await received.next() else { return XCTFail("still there") }
        running.cancel()
        await running.value
    }
}

extension DecoderOutput {
    /// The problem, if it is one.
    fileprivate var problem: String? {
        guard case .problem(let error?) = self else { return nil }
        return error.problem
    }
}
