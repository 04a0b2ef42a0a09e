import ByteDecoding
import GatewayTesting
import Platform
import XCTest

@testable import HxM

/// The first 40 packets of a real device, whole and damaged in every way that a line damages them.
final class HxMRecordingTests: XCTestCase {
    private func packets(in stream: [UInt8]) -> [[UInt8]] {
        var splitter = FrameSplitter(HxMPacket.layout)
        return splitter.pieces(stream).compactMap { piece in
            guard case .frame(let bytes) = piece else { return nil }
            return Array(bytes)
        }
    }

    private func recording() throws -> (stream: [UInt8], packets: [[UInt8]]) {
        let stream = try fixture("hxm-40-packets.dat")
        return (stream, packets(in: stream))
    }

    func testRecording_hasFortyPacketsAndNothingElse() throws {
        let (stream, packets) = try recording()
        XCTAssertEqual(packets.count, 40)
        XCTAssertEqual(packets.flatMap { $0 }, stream)
        XCTAssertTrue(packets.allSatisfy { (try? HxMPacket($0[...])) != nil })
    }

    func testRecording_reportsWhatItsDeviceMeasured() throws {
        let packets = try recording().packets.compactMap { try? HxMPacket($0[...]) }
        let first = try XCTUnwrap(packets.first)
        let last = try XCTUnwrap(packets.last)
        XCTAssertEqual([first.heartRate, last.heartRate], [67, 77])
        XCTAssertEqual((last.strides &- first.strides) % 128, 4)
        XCTAssertEqual(Double(Int(last.distance) - Int(first.distance)) / 16, 8.6875)
        let beats = zip(packets, packets.dropFirst()).flatMap { before, after in
            after.intervals.suffix(Int(after.beatNumber &- before.beatNumber))
        }
        XCTAssertEqual(beats.count, 50)
        XCTAssertEqual(beats.reduce(0, +), 39_422)
        XCTAssertEqual([beats.min(), beats.max()], [250, 980])
    }

    func testRecording_repeatsItsHistoryConsistently() throws {
        let packets = try recording().packets.compactMap { try? HxMPacket($0[...]) }
        for (before, after) in zip(packets, packets.dropFirst()) {
            let new = Int(after.beatNumber &- before.beatNumber)
            XCTAssertEqual(after.beatTimes.dropFirst(new), before.beatTimes.dropLast(new))
        }
    }

    func testRecording_whenAnyByteIsFlipped_losesAtMostItsPacket() throws {
        let (stream, packets) = try recording()
        let originals = Set(packets)
        for index in stream.indices {
            var damaged = stream
            damaged[index] ^= UInt8(1) << UInt8(index % 8)
            let found = self.packets(in: damaged)
            XCTAssertEqual(found.count, 39, "byte \(index)")
            XCTAssertTrue(originals.isSuperset(of: found), "byte \(index)")
        }
    }

    func testRecording_whenAnyByteIsDropped_losesAtMostItsPacket() throws {
        let (stream, packets) = try recording()
        let originals = Set(packets)
        for index in stream.indices {
            var damaged = stream
            damaged.remove(at: index)
            let found = self.packets(in: damaged)
            XCTAssertEqual(found.count, 39, "byte \(index)")
            XCTAssertTrue(originals.isSuperset(of: found), "byte \(index)")
        }
    }

    func testRecording_whenAnyByteIsDoubled_losesAtMostItsPacket() throws {
        let (stream, packets) = try recording()
        let originals = Set(packets)
        for index in stream.indices {
            var damaged = stream
            damaged.insert(stream[index], at: index)
            let found = self.packets(in: damaged)
            // Doubling the first or the last byte of a packet leaves the packet whole.
            XCTAssertGreaterThanOrEqual(found.count, 39, "byte \(index)")
            XCTAssertTrue(originals.isSuperset(of: found), "byte \(index)")
        }
    }

    func testRecording_whenBurstsAreOverwritten_losesAtMostTheirPackets() throws {
        let (stream, packets) = try recording()
        for seed in UInt64(1)...UInt64(200 * FuzzFactor.current) {
            var generator = SeededGenerator(seed: seed)
            var damaged = stream
            let start = Int.random(in: 0..<stream.count - 60, using: &generator)
            let end = start + Int.random(in: 1...60, using: &generator)
            for index in start..<end {
                damaged[index] = UInt8.random(in: 0...255, using: &generator)
            }
            // One of 256 overwritten packets has the right check byte, so only the others count.
            let untouched = packets[..<(start / 60)] + packets[((end + 59) / 60)...]
            let found = Set(self.packets(in: damaged))
            XCTAssertTrue(found.isSuperset(of: untouched), "seed \(seed)")
        }
    }
}
