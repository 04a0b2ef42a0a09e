import ByteDecoding
import GatewayTesting
import Platform
import XCTest

final class PacketEncodingTests: XCTestCase {
    /// The examples of the paper and of the encoding's usual description.
    private static let cobs: [(packet: [UInt8], encoded: [UInt8])] = [
        ([], [0x01, 0x00]),
        ([0x00], [0x01, 0x01, 0x00]),
        ([0x00, 0x00], [0x01, 0x01, 0x01, 0x00]),
        ([0x00, 0x11, 0x00], [0x01, 0x02, 0x11, 0x01, 0x00]),
        ([0x11, 0x22, 0x00, 0x33], [0x03, 0x11, 0x22, 0x02, 0x33, 0x00]),
        ([0x11, 0x00, 0x00, 0x00], [0x02, 0x11, 0x01, 0x01, 0x01, 0x00]),
        (Array(1...254), [0xFF] + Array(1...254) + [0x00]),
        (Array(0...254), [0x01, 0xFF] + Array(1...254) + [0x00]),
        (Array(1...255), [0xFF] + Array(1...254) + [0x02, 0xFF, 0x00]),
        (Array(2...255) + [0x00], [0xFF] + Array(2...255) + [0x01, 0x01, 0x00]),
        (Array(3...255) + [0x00, 0x01], [0xFE] + Array(3...255) + [0x02, 0x01, 0x00]),
    ]

    func testCOBS() throws {
        for (packet, encoded) in Self.cobs {
            XCTAssertEqual(PacketEncoding.cobs.encode(packet), encoded)
            XCTAssertEqual(try PacketEncoding.cobs.decode(encoded.dropLast()), packet)
        }
    }

    func testSLIP() throws {
        let packet: [UInt8] = [0x01, 0xC0, 0x02, 0xDB, 0xDC]
        let encoded: [UInt8] = [0x01, 0xDB, 0xDC, 0x02, 0xDB, 0xDD, 0xDC, 0xC0]
        XCTAssertEqual(PacketEncoding.slip.encode(packet), encoded)
        XCTAssertEqual(try PacketEncoding.slip.decode(encoded.dropLast()), packet)
    }

    func testDecode_ofAnotherEncoding_throws() {
        let cases: [(PacketEncoding, [UInt8], ByteDecodingError)] = [
            (.cobs, [0x03, 0x11], .truncated), (.cobs, [0x02, 0x00], .invalid),
            (.slip, [0x01, 0xDB], .truncated), (.slip, [0xDB, 0x01], .invalid),
            (.slip, [0xC0], .invalid),
        ]
        for (encoding, bytes, error) in cases {
            XCTAssertThrowsError(try encoding.decode(bytes)) {
                XCTAssertEqual($0 as? ByteDecodingError, error)
            }
        }
    }

    func testStream_ofRandomPackets_cutAnywhere_givesThemBack() throws {
        let seed: UInt64 = 1
        var generator = SeededGenerator(seed: seed)
        for encoding in [PacketEncoding.cobs, .slip] {
            let packets = (0..<200).map { _ in
                (0..<Int.random(in: 1...600, using: &generator)).map { _ in
                    [0x00, 0xC0, 0xDB, UInt8.random(in: 0...255, using: &generator)]
                        .randomElement(using: &generator) ?? 0
                }
            }
            var splitter = encoding.splitter(lengthLimit: 2_000)
            var found: [[UInt8]] = []
            var stream = packets.flatMap(encoding.encode)[...]
            while !stream.isEmpty {
                let count = Int.random(in: 1...97, using: &generator)
                splitter.split(Array(stream.prefix(count))) { piece in
                    guard case .bytes(let bytes) = piece else { return XCTFail("seed \(seed)") }
                    found.append((try? encoding.decode(bytes)) ?? [])
                }
                stream = stream.dropFirst(count)
            }
            XCTAssertEqual(found, packets, "seed \(seed)")
        }
    }

    func testDecode_ofRandomBytes_neverTraps_andEncodesBack() {
        var run = FuzzRun("packets", inputs: 20_000)
        while var random = run.next() {
            let bytes = (0..<Int.random(in: 0...12, using: &random)).map { _ in
                random.pick([UInt8(0), 1, 2, 0xC0, 0xDB, 0xDC, 0xDD, 0xFF])
            }
            for encoding in [PacketEncoding.cobs, .slip] {
                guard let packet = try? encoding.decode(bytes) else { continue }
                let again = try? encoding.decode(encoding.encode(packet).dropLast())
                run.expect(again == packet, "\(packet) differs")
            }
        }
        XCTAssertEqual(run.finish(), [])
    }
}
