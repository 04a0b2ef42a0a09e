import GatewayCore
import GatewayTesting
import JSON
import XCTest

@testable import Exec

/// Tests of the process of a decoder, without a device.
final class DecoderProcessTests: XCTestCase {
    private func process(_ fixture: ProgramFixture, script: String) throws -> DecoderProcess {
        let settings = try fixture.settings(script: script).object(
            keys: ["use"] + ProgramSettings.keys)
        let program = Program(try ProgramSettings(settings), fixture.context)
        return DecoderProcess(program, for: "foot", fixture.context, fixture.poller)
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
}
