import Bluetooth
import ByteDecoding
import GatewayTesting
import HealthModel
import Platform
import Readings
import XCTest

@testable import PolarMeasurement

/// The frames of acceleration; the values are those of the tests of Polar's SDK.
final class AccelerationTests: XCTestCase {
    private static let axes: [QuantityType] = [.accelerationX, .accelerationY, .accelerationZ]
    /// The sensor's time is 2 s.
    private static let time = "00 94 35 77 00 00 00 00"
    /// A reference and a block with 6 bits.
    private static let short = "F1 FF 14 00 F0 03 06 01 7B 0F 08"

    func testPlainValues_areThousandthsOfG() throws {
        let frames = [
            "02 \(Self.time) 00 F7 FF 64 F8 FE 63",
            "02 \(Self.time) 01 F7 FF FF FF E7 03 F8 FF FE FF E5 03",
            "02 \(Self.time) 02 F7 FF FF FF FF FF E7 03 00 F8 FF FF FE FF FF E5 03 00",
        ]
        let expected: [[[Double]]] = [
            [[-9, -8], [-1, -2], [100, 99]], [[-9, -8], [-1, -2], [999, 997]],
            [[-9, -8], [-1, -2], [999, 997]],
        ]
        for (frame, values) in zip(frames, expected) {
            XCTAssertEqual(
                try decode(frame),
                GATTDecoding(
                    zip(Self.axes, values).map { axis, values in
                        waveform(axis, values.map { $0 * 9.80665 / 1_000 })
                    }))
        }
    }

    func testPlainValues_withHalfAMoment_useTheOthers() throws {
        let decoding = try decode("02 \(Self.time) 01 F7 FF FF FF E7 03 F8 FF FE FF")
        XCTAssertEqual(decoding.drops, [.damaged])
        XCTAssertEqual(try values(decoding), [[-9], [-1], [999]].map { $0.map(Self.fromMilliG) })
    }

    func testCompressedValues_ofType1_areThousandthsOfGTimesTheFactor() throws {
        XCTAssertEqual(
            try values(decode("02 \(Self.time) 81 \(Self.short)")),
            [[-15, -20], [20, 17], [1_008, 1_008]].map { $0.map(Self.fromMilliG) })
        XCTAssertEqual(
            try values(decode("02 \(Self.time) 81 \(Self.short)", factor: 2)),
            [[-30, -40], [40, 34], [2_016, 2_016]].map { $0.map(Self.fromMilliG) })
    }

    func testCompressedValues_ofType0_areGTimesTheFactor() throws {
        let factor = Double(Float(2.44E-4))
        let decoding = try decode("02 \(Self.time) 80 \(Self.polarFrame)", factor: factor)
        let values = try values(decoding)
        XCTAssertEqual(values.map(\.count), [57, 57, 57])
        let moments: [[Double]] = [[1_905, 27_376, -29_282], [2_095, 27_271, -29_367]]
        for (index, moment) in moments.enumerated() {
            XCTAssertEqual(values.map { $0[index] }, moment.map { $0 * factor * 9.80665 })
        }
        // The range of the sensor is 8 g.
        XCTAssertTrue(values.joined().allSatisfy { $0.magnitude <= 8 * 9.80665 })
    }

    func testCompressedValues_inSeveralBlocks() throws {
        let moments = try DeltaFrame.decode(ByteReader(bytes(Self.blocks)))
        XCTAssertEqual(moments.count, 1 + 9 + 30 + 10 + 20 + 10 + 30 + 10 + 10 + 10)
        XCTAssertEqual(Array(moments.prefix(2)), [[-55, 18, 17], [-54, 18, 18]])
        XCTAssertTrue(moments.joined().allSatisfy { $0.magnitude < 200 }, "\(moments)")
    }

    /// The widest difference and the narrowest.
    func testCompressedValues_ofAnyWidth() throws {
        let head = "00 00 00 00 00 00"
        XCTAssertEqual(
            try DeltaFrame.decode(
                ByteReader(bytes("\(head) 20 01 FF FF FF 7F 00 00 00 80 FF FF FF FF"))),
            [[0, 0, 0], [Int(Int32.max), Int(Int32.min), -1]])
        XCTAssertEqual(
            try DeltaFrame.decode(ByteReader(bytes("\(head) 01 01 05"))),
            [[0, 0, 0], [-1, 0, -1]])
        for width in ["00", "21", "FF"] {
            XCTAssertThrowsError(
                try DeltaFrame.decode(ByteReader(bytes("\(head) \(width) 01 05")))
            ) { XCTAssertEqual($0 as? ByteDecodingError, .invalid) }
        }
    }

    func testUnknownForms() {
        for form in ["03", "7F", "82", "FF"] {
            XCTAssertThrowsError(try decode("02 \(Self.time) \(form) \(Self.short)", factor: 1)) {
                XCTAssertEqual($0 as? ByteDecodingError, .unknown, form)
            }
        }
        XCTAssertThrowsError(try decode("02 \(Self.time) 80 \(Self.short)", factor: nil)) {
            XCTAssertEqual($0 as? ByteDecodingError, .unknown)
        }
    }

    /// A frame that ends early is damaged, except at the end of a block.
    func testFrames_whenCutShort() throws {
        let plain = bytes("02 \(Self.time) 01 F7 FF FF FF E7 03")
        for length in 0..<plain.count { assertTruncated(Array(plain.prefix(length))) }
        let compressed = bytes("02 \(Self.time) 81 \(Self.blocks)")
        var counts: [Int] = []
        for length in 0..<compressed.count {
            let part = Array(compressed.prefix(length))
            do throws(ByteDecodingError) {
                counts.append(try Acceleration(perSecond: 50).decode(PolarFrame(part)).valueCount)
            } catch {
                XCTAssertEqual(error, .truncated, "\(length)")
            }
        }
        XCTAssertEqual(counts, [1, 10, 40, 50, 70, 80, 110, 120, 130].map { $0 * 3 })
    }

    /// The number of values is bounded by the number of bits.
    func testRandomFrames_areDecodedOrRefused() throws {
        var generator = SeededGenerator(seed: 11)
        for _ in 0..<2_000 * FuzzFactor.current {
            let form = generator.pick([0, 1, 2, 0x80, 0x81] as [UInt8])
            let frame = bytes("02 \(Self.time)") + [form] + generator.bytes(upTo: 502)
            let decoding = try? Acceleration(perSecond: 50, factor: 1e30).decode(PolarFrame(frame))
            XCTAssertLessThanOrEqual(decoding?.valueCount ?? 0, frame.count * 8)
        }
    }

    /// The sensor's clock starts again at 0, or is set: the samples are in order, and the axes in step.
    func testSensorTime_thatRollsOver_keepsTheOrder() throws {
        var converter = Converter(
            device: "strap", source: SourceRevision(name: "straps"), person: nil)
        let epoch = ClockEpoch(number: 0, offsetNanoseconds: 1_700_000_000_000_000_000)
        var samples: [QuantitySample] = []
        for number in 0..<8 {
            // 20 ms for each of 25 values; the last four are after the end of 64 bits.
            let time = UInt64.max &- 2_000_000_000 &+ UInt64(number) &* 500_000_000 &+ 1_000
            let head = [2] + (0..<8).map { UInt8(truncatingIfNeeded: time >> ($0 * 8)) } + [1]
            let moment = bytes("01 00 02 00 03 00")
            let frame = head + (0..<25).flatMap { _ in moment }
            let receipt = BootInstant(nanoseconds: 5_000_000_000 + Int64(number) * 500_000_000)
            let readings = try Acceleration(perSecond: 50).decode(PolarFrame(frame)).readings
            let timed = readings.map { TimedReading($0, at: receipt) }
            for case .sample(let sample) in converter.convert(timed, in: epoch).records {
                samples.append(sample)
            }
        }
        let starts = Self.axes.map { axis in samples.filter { $0.type == axis }.map(\.start) }
        XCTAssertEqual(starts[0].count, 200)
        XCTAssertEqual(starts[0], starts[0].sorted())
        XCTAssertEqual(Set(starts[0]).count, 200)
        XCTAssertEqual(starts[0], starts[1])
        XCTAssertEqual(starts[0], starts[2])
        let length = starts[0][199].nanosecondsSince1970 - starts[0][0].nanosecondsSince1970
        XCTAssertEqual(Double(length) / 1e9, 199 * 0.02, accuracy: 0.01)
    }

    private static func fromMilliG(_ value: Double) -> Double { value * 9.80665 / 1_000 }

    private func waveform(_ type: QuantityType, _ values: [Double]) -> Reading {
        .waveform(
            WaveformReading(
                type, values: values, unit: .meterPerSecondSquared, perSecond: 50,
                deviceTime: 2_000_000_000))
    }

    private func values(_ decoding: GATTDecoding) throws -> [[Double]] {
        XCTAssertEqual(decoding.readings.count, 3)
        return decoding.readings.compactMap {
            if case .waveform(let waveform) = $0 { waveform.values } else { nil }
        }
    }

    private func decode(_ value: String, factor: Double? = nil) throws -> GATTDecoding {
        try Acceleration(perSecond: 50, factor: factor).decode(PolarFrame(bytes(value)))
    }

    private func assertTruncated(_ value: [UInt8]) {
        XCTAssertThrowsError(
            try Acceleration(perSecond: 50).decode(PolarFrame(value)), "\(value)"
        ) { XCTAssertEqual($0 as? ByteDecodingError, .truncated) }
    }

    /// 56 differences of 10 bits.
    private static let polarFrame = """
        71 07 F0 6A 9E 8D 0A 38 BE 5C BE BA 2F 96 B3 EE 4B E5 AD FB 42 B9 EB BE 4C FE BA 2F 92 BF EE 4B \
        E4 B1 FB 12 B9 EC BD 3C 3E BB 2F 8F D3 DE 4B E3 B5 F7 D2 B8 ED BD 30 7E 7B 2F 8B E3 CE 8B E2 BA \
        F7 A2 B8 EE BC 20 BE 7B 2F 88 F3 CE CB E1 BD EF 52 F8 EF BC 18 FE 3B 2F 84 03 BF CB E0 C2 EF 32 \
        B8 F0 BB 04 4E BC 2E 81 13 AF 0B E0 C6 EF F2 F7 F1 B9 FC 7D BC 2E 7D 27 9F 4B DF CA EB C2 F7 F2 \
        B8 EC CD 7C 2E 7B 37 8F 4B DE CE E3 92 F7 F3 B8 E0 0D FD 2D 77 4B 7F CB DD D2 DF 62 37 F5 B7 D4 \
        4D BD 2D 74 5B 6F CB DC D7 D7 32 37 F6 B5 C8 8D 7D 2D 71 6B 4F 4B DC DC D3 F2 36 F7 B4 BC DD FD \
        2C 6F 7B 3F 4B DB E0 CF D2 36 F8 B2 B0 2D BE 2C 6C 8F 1F CB DA E3 C7 A2 76 F9
        """

    /// Nine blocks of 3 and 4 bits.
    private static let blocks = """
        C9 FF 12 00 11 00 03 09 41 FE 2B 0F 9C 0B BF 15 00 4F 00 04 1E F1 EF 00 F0 C1 23 E4 ED F4 D1 F1 \
        F1 F5 FF 22 DE 31 00 F1 FE 21 02 1F 0E 2B 1F 00 E2 20 00 0E 02 E1 1E 20 FF F1 F1 02 C5 D0 02 E0 \
        E1 02 03 0A 31 2E FB BA 90 2B AA 0E 23 40 9E 03 04 14 E3 EF F3 0F 02 1F 01 E0 0F 04 9E 13 E2 D0 \
        04 E2 22 E2 C2 0E 20 0F 20 02 FE 00 0F 1C 32 EE 03 0A 89 00 07 08 7C 00 CE 2F E8 3A 9E 03 04 1E \
        01 00 11 19 4F 00 2F 12 FD 13 FF 0E 10 00 00 F1 C0 12 E4 EF 21 00 00 01 F1 FF FF 02 10 10 2B 51 \
        0B 4E 31 FC 2E BF 31 14 EC 0E 2F 52 EF 03 0A 06 9E 04 0E 02 A8 88 EE E0 07 9A 00 04 0A 1F 21 1E \
        4E 2E FE C6 C0 02 EF 03 01 02 EE 11 03 0A F8 13 00 00 F0 40 BF A5 E7 00 76 00
        """
}

extension GATTDecoding {
    /// The number of values of all waveforms.
    fileprivate var valueCount: Int {
        readings.reduce(0) { count, reading in
            guard case .waveform(let waveform) = reading else { return count }
            return count + waveform.values.count
        }
    }
}
