import GatewayTesting
import HealthModel
import XCTest

@testable import GatewayJournal
@testable import JournalLog

final class WritableSegmentTests: XCTestCase {
    private static let size = 64 << 10

    /// A ledger that is not written to its end leaves the one before, also the first one of a run.
    func testLedger_replacesTheOlderOfTheTwoPlaces_alsoInTheNextRun() throws {
        let temporary = try TemporaryFolder()
        let folder = try LogFolder(path: temporary.path("journal"))
        let file = try SegmentFile.create("1.segment", in: folder, size: Self.size)
        var run = WritableSegment(name: 1, file: file, size: Self.size)
        for number in UInt64(1)...9 {
            try run.writeLedger(try ledger(number), sync: false)
            XCTAssertEqual(try numbers(in: file), Set(max(number, 2) - 1...number))
            guard number % 3 == 0 || number % 4 == 0 else { continue }
            let segment = Segment(name: 1, place: place, size: Self.size, used: 0)
            run = WritableSegment(segment, file: file)
        }
    }

    private let place = JournalPlace(
        first: 0, position: 0, time: Instant(nanosecondsSince1970: 0))

    private func ledger(_ number: UInt64) throws -> [UInt8] {
        var bytes: [UInt8] = []
        let header = FrameHeader(.ledger, journal: 1, number: number, place: place)
        try FrameCoding.append(.ledger(Ledger()), header, to: &bytes, path: "")
        return bytes
    }

    /// The numbers of the ledgers at the end of a segment.
    private func numbers(in file: SegmentFile) throws -> Set<UInt64> {
        var reader = FrameReader(file, journal: 1, to: Self.size)
        var numbers: Set<UInt64> = []
        while let item = try reader.next() {
            if case .frame(let header, _) = item { numbers.insert(header.number) }
        }
        return numbers
    }
}
