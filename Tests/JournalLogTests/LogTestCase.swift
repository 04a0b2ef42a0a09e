import Foundation
import GatewayTesting
import HealthModel
import Readings
import XCTest

@testable import GatewayCore
@testable import GatewayJournal
@testable import JournalLog

/// A test case with a log in a temporary folder.
class LogTestCase: XCTestCase {
    let clock = ManualClock()
    private(set) var temporary = TestFolder()
    /// Small segments, so that a few batches fill several.
    static let smallSizes = LogSizes(segment: 40 << 10, reserve: 16 << 10)

    /// The folder, made when a test needs it.
    final class TestFolder {
        let folder: TemporaryFolder?
        init() { folder = try? TemporaryFolder() }
        var path: String { folder?.path("journal") ?? "" }
    }

    override func setUp() { temporary = TestFolder() }

    var path: String { temporary.path }

    func makeFile(
        _ durability: Durability = .crash, sizes: LogSizes = LogTestCase.smallSizes,
        prepareFolder: @escaping @Sendable () throws -> Void = {}
    ) throws -> LogJournalFile {
        try LogJournalFile(
            path: path, durability: durability, clock: clock, sizes: sizes,
            prepareFolder: prepareFolder)
    }

    /// The names of the files in the folder.
    func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: path).sorted()
    }

    func segmentNames() throws -> [String] { try names().filter { $0.hasSuffix(".segment") } }

    func contents(of name: String) throws -> [UInt8] {
        Array(try Data(contentsOf: URL(fileURLWithPath: "\(path)/\(name)")))
    }

    func write(_ bytes: [UInt8], to name: String) throws {
        try Data(bytes).write(to: URL(fileURLWithPath: "\(path)/\(name)"))
    }
}

/// Short forms of journal calls for tests.
extension JournalFile {
    /// Appends lines at the end, as the journal does, with a fault of each kind that counts.
    @discardableResult
    func append(_ text: String, at seconds: Int64 = 0) throws -> JournalPlace {
        let lines = RecordLines(Array(text.utf8))
        var place = try end()
        place.time = Instant(nanosecondsSince1970: seconds * 1_000_000_000)
        try append(lines, addition: .published(Int64(lines.count)), at: place, saving: [:])
        return place
    }

    /// Moves the cursor of a sink and counts the records as delivered.
    func deliver(_ sink: String, to cursor: Int64, lost: Int64 = 0) throws {
        guard var account = try ledger().sinks[sink] else { return }
        account.outcome.delivered += cursor - account.cursor - lost
        account.outcome.lost += lost
        account.cursor = cursor
        try save([sink: account])
    }

    /// Reads all records of a sink as a runner does, and counts delivered and lost ones.
    func drain(_ sink: String) throws -> (lines: [Substring], lost: Int64) {
        var lines: [Substring] = []
        var lost: Int64 = 0
        while let cursor = try ledger().sinks[sink]?.cursor,
            cursor < (try ledger().ingest.published)
        {
            let published = try ledger().ingest.published
            let slice = try read(after: cursor, limit: JournalReadLimit(count: 100))?
                .prefix(to: published)
            let end = slice?.end ?? published
            let found = String(decoding: slice?.lines.bytes ?? [], as: UTF8.self)
                .split(separator: "\n")
            let missing = end - cursor - Int64(found.count)
            try deliver(sink, to: end, lost: missing)
            lines += found
            lost += missing
        }
        return (lines, lost)
    }
}

extension Ledger.Ingest {
    /// The counts of published records with a duplicate and an implausible one.
    static func published(_ count: Int64) -> Ledger.Ingest {
        var ingest = Ledger.Ingest()
        (ingest.converted, ingest.published) = (count + 2, count)
        (ingest[.implausible], ingest[.duplicate]) = (1, 1)
        return ingest
    }
}
