import ByteDecoding
import GatewayTesting
import Platform
import XCTest

@testable import HxM

final class HxMFrameTests: XCTestCase {
    private func frame(_ pieces: [[UInt8]]) -> [FrameSplitter.Piece] {
        var splitter = FrameSplitter(HxMPacket.layout)
        return pieces.flatMap { splitter.pieces($0) }
    }

    private func packets(_ pieces: [FrameSplitter.Piece]) -> [[UInt8]] {
        pieces.compactMap { piece in
            guard case .frame(let bytes) = piece else { return nil }
            return Array(bytes)
        }
    }

    private func damages(_ pieces: [FrameSplitter.Piece]) -> Int {
        pieces.count { $0 == .corrupt }
    }

    func testChecksum_isThatOfTheCatalogue() {
        XCTAssertEqual(crc8(Array("123456789".utf8)), 0xA1)
        XCTAssertEqual(crc8([]), 0)
        XCTAssertEqual(
            (1...4).map { crc8([0x1A, 0x00, 0x31, 0x66].prefix($0)) },
            [0xE3, 0x0B, 0xC0, 0x72])
    }

    func testFrame_findsEveryVector() {
        XCTAssertEqual(frame(Packets.all), Packets.all.map { .frame($0[...]) })
        XCTAssertEqual(packets(frame([Packets.all.flatMap { $0 }])), Packets.all)
    }

    func testFrame_whenCutAnywhere_waitsForTheRest() {
        for length in 0..<HxMPacket.size {
            var splitter = FrameSplitter(HxMPacket.layout)
            XCTAssertEqual(splitter.pieces(Array(Packets.h1.prefix(length))), [], "\(length)")
            XCTAssertEqual(
                splitter.pieces(Array(Packets.h1.dropFirst(length))), [.frame(Packets.h1[...])],
                "\(length)")
        }
    }

    func testFrame_byteByByte_findsEveryVector() {
        let stream = Packets.all.flatMap { $0 }
        XCTAssertEqual(packets(frame(stream.map { [$0] })), Packets.all)
    }

    func testFrame_whenTornAtTheBeginning_findsTheNextPacket() {
        for length in 1..<HxMPacket.size {
            let found = frame([Array(Packets.h1.suffix(length)) + Packets.h2])
            XCTAssertEqual(packets(found), [Packets.h2], "\(length)")
            XCTAssertEqual(damages(found), 1, "\(length)")
        }
    }

    func testFrame_whenTornAtTheEnd_findsTheNextPacket() {
        for length in 1..<HxMPacket.size {
            let found = frame([Array(Packets.h1.prefix(length)) + Packets.h2])
            XCTAssertEqual(packets(found), [Packets.h2], "\(length)")
            XCTAssertEqual(damages(found), 1, "\(length)")
        }
    }

    func testFrame_whenOneFrameByteIsWrong_isDamaged() {
        for offset in [0, 1, 2, 58, 59] {
            var packet = Packets.h1
            packet[offset] ^= 0x40
            let found = frame([packet, Packets.h2])
            XCTAssertEqual(packets(found), [Packets.h2], "\(offset)")
            XCTAssertEqual(damages(found), 1, "\(offset)")
        }
    }

    func testFrame_whenAPacketHidesInADamagedOne_findsIt() {
        let found = frame([Array(Packets.h1.prefix(30)), Packets.h2, Packets.h3])
        XCTAssertEqual(packets(found), [Packets.h2, Packets.h3])
    }

    func testFrame_countsEachDamagedStretchOnce() {
        let noise = [UInt8](repeating: 0x55, count: 500)
        let found = frame([noise, noise, Packets.h1, noise, Packets.h2])
        XCTAssertEqual(
            found, [.corrupt, .frame(Packets.h1[...]), .corrupt, .frame(Packets.h2[...])])
    }

    func testReset_forgetsTheBeginning() {
        var splitter = FrameSplitter(HxMPacket.layout)
        XCTAssertEqual(splitter.pieces(Array(Packets.h1.prefix(30))), [])
        splitter.reset()
        XCTAssertEqual(splitter.pieces(Packets.h2), [.frame(Packets.h2[...])])
    }

    func testFrame_whenRandom_findsOnlyWholePackets() {
        var run = FuzzRun("frames of a belt", inputs: 1_000)
        while var random = run.next() {
            var splitter = FrameSplitter(HxMPacket.layout)
            // Beginnings of packets are made frequent, else none would ever be tried.
            var noise = (0..<1_000).flatMap { _ -> [UInt8] in
                let value = random.next()
                return value % 64 == 0
                    ? [0x02, 0x26, 0x37] : [UInt8(truncatingIfNeeded: value >> 20)]
            }
            for _ in 0..<4 { random.mutate(&noise, words: [Packets.h1, Packets.h2]) }
            for packet in packets(splitter.pieces(noise)) {
                run.expect(
                    packet.prefix(3) == [0x02, 0x26, 0x37], "the start is \(packet.prefix(3))")
                run.expect(crc8(packet[3..<58]) == packet[58], "the checksum is wrong")
                run.expect(packet[59] == 0x03, "the end is \(packet[59])")
            }
        }
        XCTAssertEqual(run.finish(), [])
    }
}
