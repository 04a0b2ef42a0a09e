import GatewayCore
import HealthModel
import XCTest

@testable import HxM

/// The recording all the way to samples: adapter and converter, a packet a second.
final class HxMSamplesTests: XCTestCase {
    private func samples(of packets: [[UInt8]]) -> [QuantityType: [Double]] {
        var session = AdapterSession(HxMProtocol().makeAdapter())
        var converter = Converter(
            device: "/dev/rfcomm0", source: SourceRevision(name: "strap"), person: nil)
        let epoch = ClockEpoch(number: 0, offsetNanoseconds: 1_348_671_204_000_000_000)
        _ = session.handle(.opened, at: BootInstant(nanoseconds: 0))
        var values: [QuantityType: [Double]] = [:]
        for (index, packet) in packets.enumerated() {
            let receipt = BootInstant(nanoseconds: Int64(index + 1) * 1_000_000_000)
            let outcome = session.handle(.received(packet, on: .stream), at: receipt)
            let conversion = converter.convert(outcome.readings, in: epoch)
            XCTAssertEqual(conversion.implausible + conversion.duplicate, 0)
            for case .sample(let sample) in conversion.records {
                values[sample.type, default: []].append(sample.quantity.value)
            }
        }
        return values
    }

    private func recording() throws -> [[UInt8]] {
        let stream = try fixture("hxm-40-packets.dat")
        return stride(from: 0, to: stream.count, by: 60).map { Array(stream[$0..<$0 + 60]) }
    }

    private func sum(_ values: [Double]?) -> Double { values?.reduce(0, +) ?? 0 }

    func testRecording_becomesTheSamplesThatItHolds() throws {
        let samples = samples(of: try recording())
        XCTAssertEqual(samples[.heartRate]?.count, 40)
        XCTAssertEqual(samples[.runningSpeed]?.count, 40)
        XCTAssertEqual(sum(samples[.stepCount]), 8)
        XCTAssertEqual(sum(samples[.distanceWalkingRunning]), 8.6875)
        XCTAssertEqual(samples[.rrInterval]?.count, 50)
        XCTAssertEqual(sum(samples[.rrInterval]), 39_422)
    }

    func testRecording_whenAPacketIsLost_theNextOnesMakeUpForIt() throws {
        let packets = try recording()
        let whole = samples(of: packets)
        for lost in 1..<39 {
            var rest = packets
            rest.remove(at: lost)
            let samples = samples(of: rest)
            var rates = whole[.heartRate] ?? []
            rates.remove(at: lost)
            XCTAssertEqual(samples[.heartRate], rates, "packet \(lost)")
            XCTAssertEqual(samples[.rrInterval], whole[.rrInterval], "packet \(lost)")
            XCTAssertEqual(sum(samples[.stepCount]), 8, "packet \(lost)")
            XCTAssertEqual(sum(samples[.distanceWalkingRunning]), 8.6875, "packet \(lost)")
        }
    }

    func testRecording_whenTheFirstOrLastPacketIsLost_nothingIsMadeUp() throws {
        let packets = try recording()
        let intervals = samples(of: packets)[.rrInterval] ?? []
        let withoutFirst = samples(of: Array(packets.dropFirst()))[.rrInterval] ?? []
        XCTAssertEqual(withoutFirst, intervals.suffix(withoutFirst.count))
        let withoutLast = samples(of: Array(packets.dropLast()))[.rrInterval] ?? []
        XCTAssertEqual(withoutLast, Array(intervals.prefix(withoutLast.count)))
        XCTAssertGreaterThan(withoutFirst.count, 45)
        XCTAssertGreaterThan(withoutLast.count, 45)
    }

    func testRecording_playedTwice_countsNothingTwice() throws {
        let packets = try recording()
        let once = samples(of: packets)
        let stuttering = samples(of: packets.flatMap { [$0, $0] })
        XCTAssertEqual(stuttering[.rrInterval], once[.rrInterval])
        XCTAssertEqual(sum(stuttering[.stepCount]), 8)
        XCTAssertEqual(sum(stuttering[.distanceWalkingRunning]), 8.6875)
    }
}
