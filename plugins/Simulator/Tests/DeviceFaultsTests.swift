import XCTest

@testable import Simulator

final class DeviceFaultsTests: XCTestCase {
    func testStatedTimes_areActiveForTheirDuration() {
        var setting = FaultSetting(.linkLost, times: [3, 20])
        setting.seconds = 5
        var faults = DeviceFaults([setting], seed: 1)
        var active: [Int] = []
        for second in 0..<40 {
            faults.advance(to: Double(second))
            if faults.isActive(.linkLost, at: Double(second)) { active.append(second) }
        }
        XCTAssertEqual(active, Array(3...7) + Array(20...24))
    }

    func testFaultOfAPacket_isTakenOnce() {
        var faults = DeviceFaults([FaultSetting(.damagedPackets, times: [2])], seed: 1)
        faults.advance(to: 1)
        XCTAssertNil(faults.take(.damagedPackets))
        faults.advance(to: 2)
        XCTAssertNotNil(faults.take(.damagedPackets))
        faults.advance(to: 3)
        XCTAssertNil(faults.take(.damagedPackets))
    }

    func testRandomTimes_haveTheirMean_andAreTheSameForTheSameSeed() {
        let first = taken(seed: 1)
        XCTAssertEqual(first, taken(seed: 1))
        XCTAssertNotEqual(first, taken(seed: 2))
        // 100,000 s with a mean of 50 s.
        XCTAssertEqual(Double(first.count), 2_000, accuracy: 200)
    }

    private func taken(seed: UInt64) -> [Int] {
        var faults = DeviceFaults(
            [FaultSetting(.duplicatePackets, meanSeconds: 50)], seed: seed)
        return (0..<100_000).filter { second in
            faults.advance(to: Double(second))
            return faults.take(.duplicatePackets) != nil
        }
    }
}
