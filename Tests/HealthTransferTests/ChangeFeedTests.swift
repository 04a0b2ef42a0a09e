import GatewayHost
import GatewayTesting
import HealthModel
import HealthStore
import Synchronization
import XCTest

@testable import HealthTransfer

final class ChangeFeedTests: XCTestCase {
    /// Collects lines, and may stop reading.
    private final class Reader: Sendable {
        private let text = Mutex("")
        private let limit: Int

        init(limit: Int = .max) { self.limit = limit }

        var lines: [Substring] { text.withLock { $0.split(separator: "\n") } }

        func write(_ bytes: [UInt8]) -> Bool {
            text.withLock { $0 += String(decoding: bytes, as: UTF8.self) }
            return lines.count < limit
        }
    }

    private func samples(_ numbers: Range<Int>) throws -> [Record] {
        try numbers.map { number in
            let start = Instant(nanosecondsSince1970: Int64(number) * 1_000_000_000)
            return .sample(
                try QuantitySample(
                    id: RecordID(high: UInt64(number), low: 1), type: .heartRate, start: start,
                    end: start, quantity: Quantity(60, .countPerMinute)))
        }
    }

    private func read(
        _ store: InMemoryStore, since anchor: StoreAnchor? = nil, _ file: AnchorFile? = nil,
        _ reader: Reader = Reader()
    ) async throws -> [Substring] {
        var feed = ChangeFeed(of: store, since: anchor, keepingAnchorIn: file)
        _ = try await feed.writeChanges(reader.write)
        return reader.lines
    }

    private func anchor(of line: Substring?) throws -> StoreAnchor {
        let line = try XCTUnwrap(line)
        XCTAssertTrue(line.hasPrefix(#"{"kind":"anchor","anchor":""#), String(line))
        return try XCTUnwrap(StoreAnchor(String(line.split(separator: "\"")[7])))
    }

    func testChanges_areRecordsDeletionsAndTheAnchor() async throws {
        let store = InMemoryStore()
        let empty = try await read(store)
        let beginning = try anchor(of: empty.last)
        XCTAssertEqual(empty.count, 1)
        _ = await store.save(try samples(0..<2))
        let added = try await read(store, since: beginning)
        XCTAssertEqual(added.count, 3)
        XCTAssertTrue(added[0].contains(#""type":"heartRate""#), String(added[0]))
        let id = RecordID(high: 1, low: 1)
        _ = await store.delete([id])
        let deleted = try await read(store, since: try anchor(of: added.last))
        XCTAssertEqual(deleted.count, 2)
        XCTAssertEqual(deleted[0], #"{"kind":"deletion","id":"\#(id)"}"#)
        let nothing = try await read(store, since: try anchor(of: deleted.last))
        XCTAssertEqual(nothing, [])
    }

    /// A page that nobody has read is not behind the anchor.
    func testAnchorFile_isKeptAfterEachPage() async throws {
        let folder = try TemporaryFolder()
        let file = AnchorFile(folder.path("anchor"))
        let store = InMemoryStore()
        _ = await store.save(try samples(0..<2_500))
        XCTAssertNil(try file.anchor())
        // It reads the first of three pages, and is cut off in the second.
        let first = try await read(store, since: nil, file, Reader(limit: 1_500))
        XCTAssertEqual(first.count, 2_000)
        let rest = try await read(store, since: try file.anchor(), file)
        XCTAssertEqual(rest.count, 1_500)
        let nothing = try await read(store, since: try file.anchor(), file)
        XCTAssertEqual(nothing, [])
    }

    func testOtherFile_isRefused() throws {
        let folder = try TemporaryFolder()
        for text in ["", "anchor", String(repeating: "1", count: 2_000)] {
            try folder.write(Array(text.utf8), to: "anchor")
            XCTAssertThrowsError(try AnchorFile(folder.path("anchor")).anchor())
        }
        XCTAssertThrowsError(try AnchorFile(folder.path("none/anchor")).anchor())
        XCTAssertThrowsError(try AnchorFile("").anchor())
        try folder.makeFolder("folder")
        XCTAssertThrowsError(try AnchorFile(folder.path("folder")).anchor())
    }

    func testFollow_writesLaterChanges_untilNobodyReads() async throws {
        let store = InMemoryStore()
        _ = await store.save(try samples(0..<1))
        let reader = Reader(limit: 5)
        let following = Task {
            var feed = ChangeFeed(of: store, since: nil, keepingAnchorIn: nil)
            try await feed.follow(reader.write)
        }
        var number = 1
        while reader.lines.count < 5 {
            _ = await store.save(try samples(number..<number + 1))
            number += 1
            await Task.yield()
        }
        try await following.value
        let newest = await store.currentAnchor()
        XCTAssertEqual(try anchor(of: reader.lines.last).store, newest.store)
    }

    func testInterruption_isBetweenPages() async throws {
        let store = InMemoryStore()
        _ = await store.save(try samples(0..<2_500))
        let reader = Reader()
        let ending = try await Task {
            withUnsafeCurrentTask { $0?.cancel() }
            var feed = ChangeFeed(of: store, since: nil, keepingAnchorIn: nil)
            return try await feed.writeChanges { reader.write($0) }
        }.value
        XCTAssertEqual(ending, .interrupted)
        XCTAssertEqual(reader.lines.count, 1_001)
    }

    func testFollow_endsWithTheTask() async throws {
        let store = InMemoryStore()
        let following = Task {
            var feed = ChangeFeed(of: store, since: nil, keepingAnchorIn: nil)
            try await feed.follow { _ in true }
        }
        following.cancel()
        try await following.value
    }
}
