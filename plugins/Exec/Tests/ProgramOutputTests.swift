import ByteDecoding
import GatewayCore
import HealthModel
import Platform
import Readings
import XCTest

@testable import Exec

final class ProgramOutputTests: XCTestCase {
    /// The axes of a sensor are at the same moments, also when a program prints them one by one.
    func testWaveforms_ofOneDeviceTime_haveOneTimeOfReceipt() throws {
        var output = ProgramOutput(
            source: "own", types: .standard, memory: ProgramMemory(),
            log: Logger(component: "own") { _ in })
        var receipts: [Int64] = []
        for (moment, type, time) in [
            (1_000, "accelerationX", 1), (1_000, "accelerationY", 1), (2_000, "accelerationZ", 1),
            (2_000, "accelerationX", 2), (3_000, "accelerationY", 2),
        ] as [(Int64, String, Int)] {
            let line =
                #"{"reading":"waveform","type":"\#(type)","values":[1],"unit":"m/s^2","#
                + #""perSecond":50,"deviceTime":\#(time)}"#
            let moment = BootInstant(nanoseconds: moment)
            output.handle(.bytes(Array(line.utf8)[...]), at: moment)
            for case .report(let report, _) in output.removeSteps(at: moment) {
                guard case .readings(let readings) = report.content else { continue }
                receipts += readings.map(\.receipt.nanoseconds)
            }
        }
        XCTAssertEqual(receipts, [1_000, 1_000, 1_000, 2_000, 2_000])
    }
}
