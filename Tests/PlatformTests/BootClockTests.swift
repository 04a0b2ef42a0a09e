import GatewayTesting
import XCTest

@testable import Platform

final class BootClockTests: XCTestCase {
    private let clock = ManualClock()

    func testWait_returnsTheResult_beforeTheDeadline() async {
        let result = await clock.wait(until: clock.now().adding(seconds: 1)) { 7 }
        XCTAssertEqual(result, 7)
    }

    func testWait_endsAtTheDeadline_andCancelsTheOperation() async {
        let clock = clock
        let (never, _) = AsyncStream.makeStream(of: Void.self)
        async let result = clock.wait(until: clock.now().adding(seconds: 1)) {
            for await _ in never {}
            return Task.isCancelled
        }
        await clock.waitForSleepers(1)
        clock.advance(seconds: 1)
        let value = await result
        XCTAssertNil(value)
    }
}
