import GatewayCore
import HealthModel
import Platform
import Readings
import XCTest

@testable import HxM

/// The recording all the way to samples: adapter and converter, a packet a second.
final class HxMSamplesTests: XCTestCase {
    /// What the samples of each type are worth when a packet comes every second.
    private func samples(of packets: [[UInt8]]) -> [QuantityType: [Double]] {
        let receipts = packets.indices.map { Int64($0 + 1) * 1_000_000_000 }
        return records(of: packets, receivedAt: receipts).reduce(into: [:]) { values, sample in
            values[sample.type, default: []].append(sample.quantity.value)
        }
    }

    private func records(
        of packets: [[UInt8]], receivedAt receipts: [Int64]
    ) -> [QuantitySample] {
        var session = AdapterSession(HxMProtocol().makeAdapter())
        var converter = Converter(
            device: "/dev/rfcomm0", source: SourceRevision(name: "strap"), person: nil)
        let epoch = ClockEpoch(number: 0, offsetNanoseconds: 1_348_671_204_000_000_000)
        _ = session.handle(.opened, at: BootInstant(nanoseconds: 0))
        return zip(packets, receipts).flatMap { packet, nanoseconds in
            let receipt = BootInstant(nanoseconds: nanoseconds)
            let outcome = session.handle(.received(packet, on: .stream), at: receipt)
            let conversion = converter.convert(outcome.readings, in: epoch)
            XCTAssertEqual(conversion.faults[.implausible] + conversion.faults[.duplicate], 0)
            return conversion.records.compactMap { record -> QuantitySample? in
                guard case .sample(let sample) = record else { return nil }
                return sample
            }
        }
    }

    /// When each packet came, by lines of Unix time and the bytes received until then.
    ///
    /// The last packets have no line; they follow a second apart.
    private func recordedReceipts() throws -> [Int64] {
        let lines = String(decoding: try fixture("hxm-40-packets-timing.csv"), as: UTF8.self)
            .split(whereSeparator: \.isNewline)
        var receipts: [Int64] = []
        for line in lines {
            let fields = line.split(separator: ",")
            let seconds = try XCTUnwrap(Double(fields[0]))
            let bytes = try XCTUnwrap(Int(fields[1].filter(\.isNumber)))
            let nanoseconds = Int64((seconds - 1_348_671_200) * 1e9)
            receipts += Array(repeating: nanoseconds, count: max(0, bytes / 60 - receipts.count))
        }
        while receipts.count < 40 { receipts.append((receipts.last ?? 0) + 1_000_000_000) }
        return receipts
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

    func testRecording_atTheRecordedTimes_noBeatIsLaterThanItsPacketAndNoneLeavesTheChain() throws {
        let receipts = try recordedReceipts()
        let samples = records(of: try recording(), receivedAt: receipts)
        let beats = samples.filter { $0.type == .rrInterval }
        XCTAssertEqual(beats.count, 50)
        XCTAssertEqual(beats.reduce(0) { $0 + $1.quantity.value }, 39_422)
        for beat in beats {
            let length = beat.end.nanoseconds(since: beat.start)
            XCTAssertEqual(Double(length) / 1e6, beat.quantity.value, accuracy: 1e-3)
        }
        // The anchor only ever moves back, so a beat may begin a little before the last one ended.
        for (beat, next) in zip(beats, beats.dropFirst()) {
            let step = Double(next.start.nanoseconds(since: beat.end)) / 1e9
            XCTAssertLessThanOrEqual(step, 0)
            XCTAssertGreaterThan(step, -1)
            XCTAssertGreaterThan(next.end, beat.end)
        }
        let last = Instant(
            nanosecondsSince1970: 1_348_671_204_000_000_000 + (receipts.last ?? 0))
        XCTAssertLessThanOrEqual(try XCTUnwrap(beats.last).end, last)
        // 39.4 s of beats in the 38 s of packets after the first: the chain keeps up with them.
        XCTAssertGreaterThan(
            try XCTUnwrap(beats.last).end, last.adding(nanoseconds: -3_000_000_000))
        for sample in samples where sample.type.isCumulative {
            XCTAssertLessThan(sample.start, sample.end)
        }
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
