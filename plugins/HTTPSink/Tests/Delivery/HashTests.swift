import XCTest

@testable import HTTPSink

final class HashTests: XCTestCase {
    private func hash(_ bytes: [UInt8]) -> [UInt64] {
        let hash = BodyHash(of: bytes)
        return [hash.left, hash.right]
    }

    /// A repository may keep keys for long: another program's version must make the same ones.
    func testBodyHash_staysTheSame() {
        XCTAssertEqual(
            hash(Array("a body of more than one block".utf8)),
            [0x3e04_760e_95c4_db1f, 0xdc54_acaa_69d9_4338])
    }

    func testBodyHash_ofEveryLength_differsInBothHalves() {
        let hashes = (0...200).map { hash([UInt8](repeating: 0, count: $0)) }
        XCTAssertEqual(Set(hashes.map { $0[0] }).count, 201)
        XCTAssertEqual(Set(hashes.map { $0[1] }).count, 201)
    }

    func testBodyHash_whenAnyBitDiffers_differsInBothHalves_inAboutHalfTheirBits() {
        let body = (0..<100).map { UInt8($0) }
        let hash = hash(body)
        for bit in 0..<800 {
            var other = body
            other[bit / 8] ^= 1 << (bit % 8)
            for (half, otherHalf) in zip(hash, self.hash(other)) {
                XCTAssert((8...56).contains((half ^ otherHalf).nonzeroBitCount), "bit \(bit)")
            }
        }
    }

    func testBodyHash_whenTwoWordsChangePlaces_differs() {
        let words = (0..<8).map { [UInt8](repeating: UInt8($0), count: 8) }
        for first in 0..<8 {
            for second in (first + 1)..<8 {
                var other = words
                other.swapAt(first, second)
                XCTAssertNotEqual(hash(words.flatMap { $0 }), hash(other.flatMap { $0 }))
            }
        }
    }
}
