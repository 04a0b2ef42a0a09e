import XCTest

@testable import GatewayHost

final class StopSignalTests: XCTestCase {
    /// A journal on a disk that hangs must not hold up the end, whoever wanted it.
    func testStopInTime_endsTheProcessWhenStoppingTakesTooLong() async {
        let (ends, end) = AsyncStream.makeStream(of: Void.self)
        let stop = StopSignal(limitSeconds: 0.01) {
            end.yield()
            end.finish()
        }
        stop.stopInTime()
        stop.stopInTime()
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
