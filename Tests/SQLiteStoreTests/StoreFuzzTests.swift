import Foundation
import GatewayCore
import GatewayTesting
import HealthModel
import Platform
import SQLite
import XCTest

@testable import SQLiteStore

/// A store of any bytes is opened, read and written, or refused with an error that names the file.
final class StoreFuzzTests: CorrelationStoreTestCase {
    private struct Files {
        var main: [UInt8]
        var log: [UInt8]
    }

    func testFiles_withAnyDamage_areUsedOrRefused() async throws {
        let template = try await makeFiles()
        var run = FuzzRun("damaged stores", inputs: 60)
        while var random = run.next() {
            var files = template
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                if random.once(in: 3) {
                    Self.damage(&files.log, &random)
                } else {
                    Self.damage(&files.main, &random)
                }
            }
            try write(files)
            for problem in await use() { run.expect(false, problem) }
        }
        XCTAssertEqual(run.finish(), [])
    }

    func testRows_ofAnyContent_areReadOrRefused() async throws {
        let template = try await makeFiles()
        var run = FuzzRun("rows of a store", inputs: 100)
        while var random = run.next() {
            try write(template)
            for _ in 0..<Int.random(in: 1...4, using: &random) { try damageColumn(&random) }
            for problem in await use() { run.expect(false, problem) }
        }
        XCTAssertEqual(run.finish(), [])
    }

    func testLongestSample_ofADamagedFile_givesNoBound() async throws {
        for longest in [Int64.min, -1, .max] {
            try write(try await makeFiles())
            try execute("UPDATE type SET longest_ns = \(longest)")
            let store = try SQLiteStore(readingFrom: path)
            let query = SampleQuery(type: .stepCount, from: instant(30), to: instant(40))
            let found = try await store.samples(matching: query)
            XCTAssertEqual(found.count, 1)
        }
    }

    func testStatistics_ofValuesThatAreTooLarge_nameTheFile() async throws {
        try write(try await makeFiles())
        try execute("UPDATE sample SET value = 1e308")
        let store = try SQLiteStore(readingFrom: path)
        let query = SampleQuery(type: .stepCount)
        let expected = SQLiteStoreError.incalculable(type: "stepCount", path: path)
        await assertThrows(expected) {
            try await store.statistics(of: query, in: [instant(0)..<instant(500)])
        }
        await assertThrows(expected) {
            try await store.statisticsByOrigin(of: query, in: [instant(0)..<instant(500)])
        }
    }

    // MARK: -

    /// Makes the files of a store that was not closed: a part is in the write-ahead log.
    private func makeFiles() async throws -> Files {
        let store = try SQLiteStore(path: path)
        let event = Record.event(
            DeviceEvent(
                id: RecordID(high: 3, low: 3), at: instant(50), device: Device(name: "Strap"),
                person: "ada", state: DeviceState(contact: true)))
        let records = try records(of: 0..<300) + [event]
        _ = try await store.save(records)
        try await store.checkpoint()
        _ = try await store.save(try self.records(of: 300..<400))
        return Files(
            main: Array(try Data(contentsOf: URL(fileURLWithPath: path))),
            log: Array(try Data(contentsOf: URL(fileURLWithPath: "\(path)-wal"))))
    }

    private func records(of numbers: Range<Int>) throws -> [Record] {
        let first = numbers.lowerBound
        let id = RecordID(high: UInt64(first) << 48 | 1, low: 1)
        let workout = try Workout(
            id: id, activity: WorkoutActivity(.running), location: .outdoor, start: instant(first),
            end: instant(first + 60), events: [WorkoutEvent(.pause, at: instant(first + 9))],
            totals: [WorkoutTotal(.activeEnergyBurned, sum: Quantity(12.5, .kilocalorie))],
            person: "ada", metadata: Metadata(["n": .number(1)]))
        return try heartRates(numbers) + [
            .sample(try steps(first, from: first, to: first + 60)),
            .category(try sleep(first, from: first, to: first + 60)),
            .correlation(try pressure(10_000 + first, at: first)),
            .correlation(try meal(20_000 + first, at: first)), .workout(workout),
        ]
    }

    private func write(_ files: Files) throws {
        for suffix in ["", "-wal", "-shm"] { unlink("\(path)\(suffix)") }
        try Data(files.main).write(to: URL(fileURLWithPath: path))
        try Data(files.log).write(to: URL(fileURLWithPath: "\(path)-wal"))
    }

    /// Checks, opens, reads and writes the store; the errors that do not name its file.
    private func use() async -> [String] {
        let attempts = Attempts(path: path)
        await attempts.make("check") { try StoreCheck(path: path).run() }
        await attempts.make("check of ends") { try StoreCheck(path: path, fullCheckBytes: 0).run() }
        if let reader = await attempts.make("read", { try SQLiteStore(readingFrom: path) }) {
            await readAll(of: reader, attempts)
        }
        if let store = await attempts.make("open", { try SQLiteStore(path: path) }) {
            await readAll(of: store, attempts)
            await change(store, attempts)
        }
        return attempts.problems
    }

    private func readAll(of store: SQLiteStore, _ attempts: Attempts) async {
        for type in [QuantityType.heartRate, .stepCount, .bloodPressureSystolic] {
            let query = SampleQuery(type: type, from: instant(10))
            await attempts.make("samples") { try await store.samples(matching: query) }
            await attempts.make("newest") {
                try await store.newest(type, of: "ada", until: instant(99))
            }
            await attempts.make("count") { try await store.count(of: type) }
            let span = instant(0)..<instant(400)
            await attempts.make("statistics") { try await store.statistics(of: query, in: [span]) }
        }
        await attempts.make("events") { try await store.events() }
        await attempts.make("sleep") { try await store.categorySamples(of: .sleepAnalysis) }
        await attempts.make("pressure") { try await store.correlations(of: .bloodPressure) }
        await attempts.make("food") { try await store.correlations(of: .food) }
        await attempts.make("workouts") { try await store.workouts() }
        await attempts.make("origins") { try await store.knownOrigins() }
        await attempts.make("sessions") { try await store.sessions() }
    }

    private func change(_ store: SQLiteStore, _ attempts: Attempts) async {
        await attempts.make("save") { try await store.save(try records(of: 500..<520)) }
        let bounds = Retention.Bounds(start: instant(100), bytes: 1 << 12)
        await attempts.make("remove") { try await store.removeNextBatch(beyond: bounds) }
        await attempts.make("checkpoint") { try await store.checkpoint() }
    }

    private static let pageBytes = 4_096

    private static func damage(_ bytes: inout [UInt8], _ random: inout SeededGenerator) {
        guard !bytes.isEmpty else { return }
        let page = Int.random(in: 0...(bytes.count - 1) / pageBytes, using: &random) * pageBytes
        // Half of them in the structure of a page.
        let offset = Int.random(in: 0..<(random.once(in: 2) ? 128 : pageBytes), using: &random)
        let start = min(page + offset, bytes.count - 1)
        let end = min(start + Int.random(in: 1...300, using: &random), bytes.count)
        switch Int.random(in: 0..<8, using: &random) {
        case 0: bytes.removeSubrange(start...)
        case 1: for index in start..<end { bytes[index] = 0 }
        case 2:
            for index in start..<end { bytes[index] = UInt8.random(in: 0...255, using: &random) }
        case 3:
            let other = Int.random(in: 0...(bytes.count - 1) / pageBytes, using: &random)
            let piece = Array(bytes.dropFirst(other * pageBytes).prefix(pageBytes))
            bytes.replaceSubrange(page..<min(page + piece.count, bytes.count), with: piece)
        case 4: bytes += random.bytes(upTo: pageBytes)
        case 5: bytes[start] = random.pick([0, 1, 0x7F, 0x80, 0xFF])
        default: bytes[start] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        }
    }

    /// Sets a column of some rows to any value; what SQLite rejects changes nothing.
    private func damageColumn(_ random: inout SeededGenerator) throws {
        let connection = try SQLiteConnection(path: path, access: .readWrite)
        try connection.execute("PRAGMA ignore_check_constraints = 1")
        var tables: [String] = []
        let names = try connection.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'")
        try names.forEachRow { if let name = $0.text(at: 0) { tables.append(name) } }
        let table = random.pick(tables)
        var columns: [String] = []
        let info = try connection.prepare("SELECT name FROM pragma_table_info('\(table)')")
        try info.forEachRow { if let name = $0.text(at: 0) { columns.append(name) } }
        guard !columns.isEmpty else { return }
        let values = [
            "NULL", "0", "-1", "9223372036854775807", "-9223372036854775808", "1e308", "9e999",
            "0.5",
            "''", "'heartRate'", "'\u{FFFD}'", "'{\"n\":'", "'{\"n\":1e999}'", "x''", "x'00'",
            "x'FF00FF00FF00FF00FF00FF00FF00FF00'", "randomblob(16)", "zeroblob(1000)",
            "(SELECT max(sequence) + 1 FROM sample)",
        ]
        let part = random.pick(["1", "rowid % 2", "rowid = 1", "rowid = 7"])
        _ = try? connection.execute(
            "UPDATE OR IGNORE \(table) SET \(random.pick(columns)) = \(random.pick(values)) "
                + "WHERE \(part)")
    }
}

/// Calls of a store that may fail with an error of the store that names its file.
private final class Attempts {
    private let path: String
    private(set) var problems: [String] = []

    init(path: String) { self.path = path }

    @discardableResult
    func make<Value>(_ what: String, _ body: () async throws -> Value) async -> Value? {
        do { return try await body() } catch {
            let isOfStore = error is SQLiteError || error is SQLiteStoreError
            if !isOfStore || !"\(error)".contains(path) { problems.append("\(what): \(error)") }
            return nil
        }
    }
}
