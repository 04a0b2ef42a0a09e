import GatewayCore
import GatewayTesting
import HealthModel
import Platform
import Synchronization
import XCTest

/// The suite finds sinks that violate the contract, and only those.
final class SinkConformanceTests: XCTestCase {
    /// A destination that stores each record once.
    private final class Shelf: Sendable {
        private let records = Mutex<[Record]>([])
        let storesTwice: Bool

        init(storesTwice: Bool = false) {
            self.storesTwice = storesTwice
        }

        var count: Int { records.withLock { $0.count } }

        func has(_ id: RecordID) -> Bool { records.withLock { $0.contains { $0.id == id } } }

        func store(_ batch: [Record]) {
            records.withLock { records in
                let known = Set(records.map(\.id))
                records += batch.filter { storesTwice || !known.contains($0.id) }
            }
        }
    }

    /// Does what a closure says with a shelf.
    private struct ShelfSink: Sink {
        let shelf: Shelf
        let body: @Sendable (Shelf, [Record]) async throws -> Void
        var acceptsDeletions = false

        func write(_ batch: [Record]) async throws { try await body(shelf, batch) }
    }

    /// A sink of lines that throws what it is given where a line is not a record.
    private struct StrictLines: LineSink {
        let shelf: Shelf
        let error: SinkError

        func write(_ batch: RecordLines) async throws {
            var decoder = RecordDecoder()
            let records = (0..<batch.count).compactMap { try? decoder.decode(batch[$0]) }
            shelf.store(records)
            if records.count < batch.count { throw error }
        }
    }

    /// A sink that closes as a closure says.
    private struct ClosableSink: Sink, Closable {
        let shelf: Shelf
        var writes: @Sendable () async -> Void = {}
        var closes: @Sendable () async -> Void = {}

        func write(_ batch: [Record]) async throws {
            await writes()
            try Task.checkCancellation()
            shelf.store(batch)
        }

        func close() async { await closes() }
    }

    private func findings(
        on shelf: Shelf = Shelf(),
        _ body: @escaping @Sendable (Shelf, [Record]) async throws -> Void
    ) async -> String {
        await SinkConformance.findings(
            stored: { shelf.count }, makeSink: { ShelfSink(shelf: shelf, body: body) }
        ).text
    }

    private func assertFinding(
        _ expected: String, on shelf: Shelf = Shelf(), line: UInt = #line,
        _ body: @escaping @Sendable (Shelf, [Record]) async throws -> Void
    ) async {
        let found = await findings(on: shelf, body)
        XCTAssertTrue(found.contains(expected), found, line: line)
    }

    func testGoodSink_hasNoFinding() async {
        let found = await findings { shelf, batch in
            try Task.checkCancellation()
            shelf.store(batch)
        }
        XCTAssertEqual(found, "")
    }

    func testSinkThatRejectsOneKind_hasNoFinding() async {
        let found = await findings { shelf, batch in
            let workouts = batch.filter { $0.typeName == "workout" }
            shelf.store(batch.filter { $0.typeName != "workout" })
            if !workouts.isEmpty {
                throw SinkError.rejected(Set(workouts.map(\.id)), reason: "no workouts")
            }
        }
        XCTAssertEqual(found, "")
    }

    func testSinkThatStoresTwice_isFound() async {
        let shelf = Shelf(storesTwice: true)
        await assertFinding("the same batch twice is stored twice", on: shelf) { $0.store($1) }
        await assertFinding("stored twice after a restart", on: shelf) { $0.store($1) }
        let found = await SinkConformance.findings(
            recognisesDuplicates: false, stored: { shelf.count },
            makeSink: { ShelfSink(shelf: shelf) { $0.store($1) } })
        XCTAssertEqual(found, [])
    }

    func testSinkThatStumblesOverADeletion_isFound() async {
        func findings(_ body: @escaping @Sendable (Shelf, [Record]) throws -> Void) async -> String
        {
            let shelf = Shelf()
            return await SinkConformance.findings(stored: { shelf.count }) {
                ShelfSink(shelf: shelf, body: { try body($0, $1) }, acceptsDeletions: true)
            }.map(\.description).joined(separator: "; ")
        }
        let unknown = await findings { shelf, batch in
            for case .deletion(let deleted) in batch where !shelf.has(deleted.id) {
                throw SinkError.rejected([deleted.id], reason: "there is no such record")
            }
            shelf.store(batch)
        }
        XCTAssertTrue(unknown.contains("deletions: valid records are rejected"), unknown)
        let good = await findings { shelf, batch in
            shelf.store(batch.filter { if case .deletion = $0 { false } else { true } })
        }
        XCTAssertEqual(good, "")
    }

    func testSinkThatStoresAPart_isFound() async {
        await assertFinding("a batch of 10000 heart rates returned, and 9999 are stored") {
            $0.store(Array($1.prefix(9_999)))
        }
    }

    func testSinkThatReturnsWhenItIsCancelled_isFound() async {
        await assertFinding("a cancelled write returned without storing its batch") {
            if !Task.isCancelled { $0.store($1) }
        }
    }

    func testSinkThatFailsForAnEmptyBatch_isFound() async {
        await assertFinding("an empty batch: the write failed") { shelf, batch in
            guard !batch.isEmpty else { throw SinkError.retry(reason: "nothing to do", after: nil) }
            shelf.store(batch)
        }
    }

    func testErrorsOutsideOfTheContract_areFound() async {
        struct OwnError: Error {}
        await assertFinding("a write threw OwnError, which is not a SinkError") { _, _ in
            throw OwnError()
        }
        await assertFinding("a write threw CancellationError without being cancelled") { _, _ in
            throw CancellationError()
        }
        await assertFinding("`retry` has a delay that is negative or not finite") { _, _ in
            throw SinkError.retry(reason: "busy", after: -1)
        }
        await assertFinding("`rejected` names the whole batch") { _, batch in
            throw SinkError.rejected(Set(batch.map(\.id)), reason: "no")
        }
        await assertFinding("`rejected` names records that are not in the batch") { _, _ in
            throw SinkError.rejected([RecordID(high: 1, low: 2)], reason: "no")
        }
    }

    func testReasons_areChecked() async {
        await assertFinding("is empty or longer than 1024 bytes") { _, _ in
            throw SinkError.blocked(reason: "")
        }
        await assertFinding("contains control characters") { _, _ in
            throw SinkError.blocked(reason: "no\n\u{1B}[2J")
        }
        await assertFinding("contains a health value") { _, batch in
            throw SinkError.blocked(reason: "cannot store \(batch)")
        }
    }

    func testSinkThatDoesNotEndWhenCancelled_isFound() async {
        let gate = AsyncStream.makeStream(of: Void.self)
        let found = await SinkConformance.findingsWhenSilent {
            ShelfSink(shelf: Shelf()) { _, _ in
                // A continuation does not notice the cancellation.
                await withCheckedContinuation { continuation in
                    gate.continuation.onTermination = { _ in continuation.resume() }
                }
            }
        }.text
        gate.continuation.finish()
        XCTAssertEqual(found, "a cancelled write did not end within 5 s")
        let good = await SinkConformance.findingsWhenSilent {
            ShelfSink(shelf: Shelf()) { _, _ in try await SystemClock().sleep(seconds: 3_600) }
        }
        XCTAssertEqual(good, [])
    }

    func testClose() async {
        let good = Shelf()
        let found = await SinkConformance.findings(
            stored: { good.count }, makeSink: { ClosableSink(shelf: good) })
        XCTAssertEqual(found, [])
        let gate = AsyncStream.makeStream(of: Void.self)
        let wait: @Sendable () async -> Void = { await Self.waitForEnd(of: gate) }
        let shelf = Shelf()
        let late = await SinkConformance.findings(
            stored: { shelf.count }, makeSink: { ClosableSink(shelf: shelf, closes: wait) })
        XCTAssertEqual(late.text, "`close` did not return within 2 s")
        let silent = await SinkConformance.findingsWhenSilent {
            ClosableSink(
                shelf: shelf, writes: { try? await SystemClock().sleep(seconds: 3_600) },
                closes: wait)
        }
        XCTAssertEqual(silent.text, "`close` did not return within 2 s")
        gate.continuation.finish()
    }

    /// Waits until a stream ends, and does not notice a cancellation.
    private static func waitForEnd(
        of gate: (stream: AsyncStream<Void>, continuation: AsyncStream<Void>.Continuation)
    ) async {
        let waiting = Task.detached { for await _ in gate.stream {} }
        await waiting.value
    }

    func testLineThatIsNotARecord() async {
        func findings(_ error: SinkError) async -> String {
            let shelf = Shelf()
            return await SinkConformance.findings(stored: { shelf.count }) {
                StrictLines(shelf: shelf, error: error)
            }.text
        }
        let rejected = await findings(.rejected([], reason: "not a record"))
        XCTAssertEqual(rejected, "")
        let blocked = await findings(.blocked(reason: "not a record"))
        XCTAssertEqual(blocked, "a line that is not a record stops the sink; reject it")
    }

    func testUnavailableDestination() async {
        func findings(_ error: SinkError?) async -> String {
            await SinkConformance.findingsWhenUnavailable {
                ShelfSink(shelf: Shelf()) { _, _ in if let error { throw error } }
            }.text
        }
        let retry = await findings(.retry(reason: "server: connection refused", after: 1))
        XCTAssertEqual(retry, "")
        let stored = await findings(nil)
        XCTAssertEqual(stored, "a write to a destination that does not work returned")
        let rejected = await findings(.rejected([], reason: "server: connection refused"))
        XCTAssertEqual(rejected, "records that a later write could store were rejected")
    }
}
