import ByteDecoding
import GatewayTesting
import Platform
import XCTest

final class FrameSplitterTests: XCTestCase {
    /// 02, a length, that many bytes, a CRC-16 of length and bytes, 03.
    private static let layout = FrameLayout(
        start: [0x02], length: .field(at: 1, adding: 5), end: [0x03],
        check: .crc(.crc16CCITT, from: 1, order: .big), lengthLimit: 64)

    private static func frame(_ payload: [UInt8]) -> [UInt8] {
        let covered = [UInt8(payload.count)] + payload
        let crc = CRC.crc16CCITT.checksum(covered)
        return [0x02] + covered + [UInt8(crc >> 8), UInt8(crc & 0xFF), 0x03]
    }

    /// The frames in chunks of bytes, and the number of runs that belong to none.
    private func split(
        _ chunks: [[UInt8]], _ layout: FrameLayout = layout
    ) -> (frames: [[UInt8]], corrupt: Int) {
        var splitter = FrameSplitter(layout)
        var frames: [[UInt8]] = []
        var corrupt = 0
        for chunk in chunks {
            splitter.split(chunk) { piece in
                switch piece {
                case .frame(let bytes): frames.append(Array(bytes))
                case .corrupt: corrupt += 1
                }
            }
        }
        return (frames, corrupt)
    }

    func testFrames_cutAnywhere() {
        let frames = [Self.frame([1, 2, 3]), Self.frame([]), Self.frame([0x02, 0x03, 0x02])]
        let bytes = frames.flatMap { $0 }
        for first in 0...bytes.count {
            for second in first...bytes.count {
                let result = split([
                    Array(bytes[..<first]), Array(bytes[first..<second]), Array(bytes[second...]),
                ])
                XCTAssertEqual(result.frames, frames, "\(first), \(second)")
                XCTAssertEqual(result.corrupt, 0)
            }
        }
    }

    func testCorruptByte_losesOneFrameAndIsReportedOnce() {
        let frames = [Self.frame([1, 2, 3]), Self.frame([4, 5, 6]), Self.frame([7])]
        let second = frames[0].count..<(frames[0].count + frames[1].count)
        for index in second {
            var bytes = frames.flatMap { $0 }
            bytes[index] ^= 0x40
            let result = split([bytes])
            // A length that is too large may wait for more bytes, and then for the frames behind it.
            XCTAssertTrue(result.frames.isEmpty || result.frames.first == frames[0])
            let complete = split([bytes, [UInt8](repeating: 0xEE, count: 64)])
            XCTAssertEqual(complete.frames, [frames[0], frames[2]], "byte \(index)")
            XCTAssertEqual(complete.corrupt, 2)
        }
    }

    func testFixedLength_withXORAndSum() {
        let xor = FrameLayout(start: [0xAA, 0x55], length: .fixed(5), check: .xor(from: 2))
        XCTAssertEqual(split([[0xAA, 0x55, 0x0F, 0xF1, 0xFE]], xor).frames.count, 1)
        XCTAssertEqual(split([[0xAA, 0x55, 0x0F, 0xF1, 0xFF]], xor).frames.count, 0)
        let sum = FrameLayout(start: [0xAA], length: .fixed(4), check: .sum(from: 1))
        XCTAssertEqual(split([[0xAA, 0x80, 0x81, 0x01]], sum).frames.count, 1)
    }

    func testCRC32_littleEndian_withALengthOfTwoBytes() {
        let layout = FrameLayout(
            start: [0x7E], length: .field(at: 1, byteCount: 2, adding: 7),
            check: .crc(.crc32, from: 0))
        var frame: [UInt8] = [0x7E, 0x02, 0x00, 0xBE, 0xEF]
        let crc = CRC.crc32.checksum(frame)
        frame += (0..<4).map { UInt8(truncatingIfNeeded: crc >> ($0 * 8)) }
        XCTAssertEqual(split([[0x00], frame, frame], layout).frames, [frame, frame])
    }

    /// A Zephyr HxM packet whose CRC is 0.
    func testHxMPacket() throws {
        let text =
            "02 26 37 1A 00 31 66 50 00 31 64 64 4A 93 E7 DA 67 D8 8F D5 C7 D2 DF CF CB CC 93 C9 17 "
            + "C6 87 C2 EF BE 37 BB 63 B7 D3 B3 C3 B0 CB AD 00 00 00 00 00 00 1D 05 32 03 30 00 40 "
            + "01 00 03"
        let packet = try text.split(separator: " ").map { try XCTUnwrap(UInt8($0, radix: 16)) }
        let layout = FrameLayout(
            start: [0x02, 0x26, 0x37], length: .fixed(60), end: [0x03],
            check: .crc(.crc8Maxim, from: 3))
        XCTAssertEqual(split([packet + packet], layout).frames, [packet, packet])
    }

    func testRandomBytes_neverTrapAndHoldLessThanAFrame() {
        let layouts = [
            Self.layout,
            FrameLayout(start: [], length: .field(at: 0, adding: 0), lengthLimit: 16),
            FrameLayout(
                start: [2], length: .field(at: -3, byteCount: 9, adding: -5), check: .sum(from: -4)),
            FrameLayout(start: [2], length: .fixed(-1)),
            FrameLayout(start: [2], length: .fixed(0), end: [3, 3, 3], lengthLimit: 0),
        ]
        var run = FuzzRun("frames", inputs: 100)
        while var random = run.next() {
            var splitter = FrameSplitter(random.pick(layouts))
            for _ in 0..<100 {
                let bytes = (0..<Int.random(in: 0...9, using: &random)).map { _ in
                    random.pick([2, 3, 4, UInt8.random(in: 0...255, using: &random)])
                }
                splitter.split(bytes) { piece in
                    guard case .frame(let frame) = piece else { return }
                    run.expect((1...1_024).contains(frame.count), "\(frame.count) bytes")
                }
            }
        }
        XCTAssertEqual(run.finish(), [])
    }
}
