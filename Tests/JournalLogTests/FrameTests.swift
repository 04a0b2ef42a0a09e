import ByteDecoding
import CJournalLog
import GatewayCore
import HealthModel
import Platform
import XCTest

@testable import JournalLog
@testable import Readings

/// The bytes of the log: checksum, header, ledger.
final class FrameTests: XCTestCase {
    private let header: FrameHeader = {
        var header = FrameHeader(
            .records, journal: 0x0123_4567_89AB_CDEF, number: 77, count: 3,
            place: JournalPlace(
                first: 1_000, position: 300_000, time: Instant(nanosecondsSince1970: -5)))
        header.payloadLength = 900
        header.payloadChecksum = 0xDEAD_BEEF
        return header
    }()

    /// RFC 3720, appendix B.4, and the check value of the catalogue of CRC algorithms.
    func testChecksum_publishedValues() {
        let cases: [([UInt8], UInt32)] = [
            (Array("123456789".utf8), 0xE306_9283),
            ([UInt8](repeating: 0, count: 32), 0x8A91_36AA),
            ([UInt8](repeating: 0xFF, count: 32), 0x62A8_AB43),
            (Array(0..<32), 0x46DD_794E),
            (Array((0..<32).reversed()), 0x113F_DB5C),
            ([], 0),
        ]
        for (bytes, expected) in cases {
            XCTAssertEqual(Checksum.crc32c(bytes, 0..<bytes.count), expected)
            XCTAssertEqual(cjournallog_crc32c_table(0, bytes, bytes.count), expected)
        }
    }

    func testChecksum_isTheSameWithAndWithoutTheInstruction() {
        var random = SeededGenerator(seed: 1)
        for count in 0..<200 {
            let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
            XCTAssertEqual(
                cjournallog_crc32c(7, bytes, count), cjournallog_crc32c_table(7, bytes, count))
        }
    }

    private func bytes(of header: FrameHeader) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: FrameHeader.length)
        bytes.withUnsafeMutableBytes { header.write(to: $0) }
        return bytes
    }

    private func header(in bytes: [UInt8], at offset: Int = 0) -> FrameHeader? {
        bytes.withUnsafeBytes { FrameHeader($0, at: offset) }
    }

    func testHeader_roundTrip_alsoAtAnOddOffset() {
        XCTAssertEqual(header(in: bytes(of: header)), header)
        XCTAssertEqual(header(in: [1, 2, 3] + bytes(of: header), at: 3), header)
    }

    func testHeader_withAnyBitChanged_isNone() {
        let bytes = bytes(of: header)
        for bit in 0..<(bytes.count * 8) {
            var changed = bytes
            changed[bit / 8] ^= 1 << UInt8(bit % 8)
            XCTAssertNil(header(in: changed), "bit \(bit)")
        }
    }

    func testHeader_withANumberBeyondAll_isNone() {
        var far = header
        far.number = .max
        XCTAssertNil(self.header(in: bytes(of: far)))
    }

    func testHeader_cut_isNone() {
        let bytes = bytes(of: header)
        for count in 0..<bytes.count { XCTAssertNil(header(in: Array(bytes[..<count]))) }
    }

    private let ledger: Ledger = {
        var ledger = Ledger()
        (ledger.ingest.converted, ledger.ingest.published) = (12, 9)
        (ledger.ingest[.duplicate], ledger.ingest[.implausible]) = (2, 1)
        var store = Ledger.Sink(start: 1, cursor: 6)
        store.outcome.delivered = 1
        (store.outcome.filtered, store.outcome.rejected) = (1, 1)
        (store.outcome.dropped, store.outcome.lost) = (1, 1)
        store.previousName = "früher"
        ledger.sinks = ["store": store, "": Ledger.Sink(start: 9, cursor: 9)]
        return ledger
    }()

    /// The ledger with records that a sink has not verified.
    private var unverifiedLedger: Ledger {
        var ledger = ledger
        ledger.sinks["store"]?.outcome.delivered += 3
        ledger.sinks["store"]?.cursor += 3
        var outcome = Ledger.Outcome()
        (outcome.delivered, outcome.filtered) = (2, 1)
        ledger.sinks["store"]?.unverified = Ledger.Unverified(
            cursor: 4, outcome: outcome, released: 2)
        return ledger
    }

    private func payload(of content: FrameContent) throws -> [UInt8] {
        var bytes: [UInt8] = []
        try FrameCoding.append(content, header, to: &bytes, path: "")
        return Array(bytes.dropFirst(FrameHeader.length))
    }

    private func decoded(_ payload: [UInt8]) -> Ledger? {
        var header = header
        header.kind = .ledger
        guard case .ledger(let read)? = FrameCoding.content(of: header, payload) else { return nil }
        return read
    }

    func testLedger_roundTrip() throws {
        for ledger in [ledger, unverifiedLedger] {
            XCTAssertTrue(ledger.isPlausible)
            XCTAssertEqual(ledger.imbalances, [])
            XCTAssertEqual(decoded(try payload(of: .ledger(ledger))), ledger)
        }
    }

    /// The bytes of a ledger with nothing unverified are those of the versions before.
    func testLedger_ofAnEarlierVersion_hasNothingUnverified() throws {
        var bytes: [UInt8] = []
        LedgerEncoding.append(unverifiedLedger.ingest, to: &bytes)
        LedgerEncoding.append(
            unverifiedLedger.sinks.mapValues { sink in
                var sink = sink
                sink.unverified = nil
                return sink
            }, to: &bytes)
        let whole = try payload(of: .ledger(unverifiedLedger))
        XCTAssertEqual(Array(whole[..<bytes.count]), bytes, "an earlier version reads the same")
        let read = decoded(bytes + [FrameCoding.lastByte])
        XCTAssertEqual(read?.sinks.count, 2)
        XCTAssertEqual(read?.sinks["store"]?.cursor, 9)
        XCTAssertNil(read?.sinks["store"]?.unverified)
    }

    func testLedger_withUnverifiedRecordsThatAreNotInTheAccount_isNotPlausible() {
        for (cursor, released) in [(Int64(5), Int64(2)), (4, 3), (4, -1), (-4, 0)] {
            var ledger = unverifiedLedger
            ledger.sinks["store"]?.unverified?.cursor = cursor
            ledger.sinks["store"]?.unverified?.released = released
            XCTAssertFalse(ledger.isPlausible, "\(cursor) \(released)")
        }
    }

    func testPayloads_cutAtEveryLength_areNone_orFailTheCountOfLines() throws {
        let lines = RecordLines(Array("a\nb\n".utf8))
        let head = SegmentHead(segment: 3, size: 4_096)
        let contents: [(FrameHeader.Kind, FrameContent)] = [
            (.ledger, .ledger(ledger)), (.segment, .segment(head, ledger)),
            (.ledger, .ledger(unverifiedLedger)), (.segment, .segment(head, unverifiedLedger)),
            (.records, .records(ledger.ingest, lines)),
        ]
        for (kind, content) in contents {
            var header = header
            header.kind = kind
            let bytes = try payload(of: content)
            for count in 0..<(bytes.count - 1) {
                let read = FrameCoding.content(of: header, Array(bytes[..<count]))
                if case .records(_, let found)? = read {
                    XCTAssertNotEqual(found, lines, "\(count)")
                } else {
                    XCTAssertNil(read, "\(kind) \(count)")
                }
            }
        }
    }

    func testPayloads_ofRandomBytes_neverTrap() {
        let seed = UInt64.random(in: 0...UInt64.max)
        print("random payloads with seed \(seed)")
        var random = SeededGenerator(seed: seed)
        for _ in 0..<20_000 {
            var header = header
            header.kind = [.segment, .records, .ledger, .end].randomElement(using: &random) ?? .end
            let count = Int.random(in: 0..<120, using: &random)
            let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
            if case .ledger(let ledger)? = FrameCoding.content(of: header, bytes) {
                _ = ledger.isPlausible
            }
        }
    }

    func testParts_areTheSameBytesAsOneFrame() throws {
        let lines = RecordLines(Array("a\nb\n".utf8))
        var bytes: [UInt8] = []
        try FrameCoding.append(.records(ledger.ingest, lines), header, to: &bytes, path: "")
        let parts = try FrameCoding.parts(ledger.ingest, lines, header, path: "")
        XCTAssertEqual(Array(parts.joined()), bytes)
    }

    func testAppend_refusesABatchThatNoReaderWouldAccept() {
        let lines = RecordLines(
            [UInt8](repeating: 0x61, count: FrameHeader.payloadLimit) + [0x0A])
        var bytes: [UInt8] = [1]
        XCTAssertThrowsError(
            try FrameCoding.append(.records(ledger.ingest, lines), header, to: &bytes, path: "j")
        ) { XCTAssertEqual($0 as? LogError, LogError(path: "j", problem: .isTooLarge)) }
        XCTAssertEqual(bytes, [1])
        XCTAssertThrowsError(try FrameCoding.parts(ledger.ingest, lines, header, path: "j"))
    }
}
