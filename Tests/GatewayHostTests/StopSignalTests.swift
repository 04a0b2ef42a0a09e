import XCTest

@testable import GatewayHost

final class StopSignalTests: XCTestCase {
    /// A journal on a hanging disk must not delay the exit.
    func testStopWithinLimit_whenStoppingTakesTooLong_endsTheProcess() async {
        let (ends, end) = AsyncStream.makeStream(of: Void.self)
        let stop = StopSignal(limitSeconds: 0.01) {
            end.yield()
            end.finish()
        }
        stop.stopWithinLimit()
        stop.stopWithinLimit()
        await stop.wait()
        for await _ in stop.reloads {}
        var count = 0
        for await _ in ends { count += 1 }
        XCTAssertEqual(count, 1)
    }

    func testStop_ofACommandThatPrintsItsResultThen_isNotTimed() async {
        let stop = StopSignal(limitSeconds: 0) { XCTFail("the process was ended") }
        stop.stop()
        await stop.wait()
    }
}
