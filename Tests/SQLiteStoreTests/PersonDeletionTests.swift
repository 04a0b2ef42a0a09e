import GatewayTesting
import HealthModel
import HealthStore
import Platform
import XCTest

@testable import SQLiteStore

/// Deletion of a person, and random deletions compared to a model.
final class PersonDeletionTests: CorrelationStoreTestCase {
    private let now = Instant(nanosecondsSince1970: 5_000_000_000_000)

    func testDelete_ofAPerson_removesEverythingOfThePersonAndTheName() async throws {
        let store = try SQLiteStore(path: path)
        let workout = try Workout(
            id: RecordID(high: 1 << 48, low: 1), activity: WorkoutActivity(.running),
            start: instant(0), end: instant(60), person: "ada")
        _ = try await store.save([
            .sample(try heartRate(1, person: "ada")), .sample(try heartRate(2, person: "bob")),
            .sample(try heartRate(3)), .category(try sleep(4, from: 0, to: 1)),
            .correlation(try pressure(50, at: 10)), .workout(workout),
        ])
        try await store.saveSession(
            PersistedSession(
                id: RecordID(high: 9, low: 3), person: "ada", text: "{}", seen: instant(1)))
        let groups = try await store.groups(of: .person("ada"))
        XCTAssertEqual(Set(groups.map(\.person)), ["ada"])
        XCTAssertEqual(groups.reduce(0) { $0 + $1.count }, 6)
        _ = try await store.delete(.person("ada"), at: now)
        for table in ["session", "workout", "category", "correlation", "member"] {
            XCTAssertEqual(try integer("SELECT count(*) FROM \(table)"), 0, table)
        }
        XCTAssertEqual(try integer("SELECT count(*) FROM person WHERE name = 'ada'"), 0)
        let left = try await store.samples(matching: SampleQuery(type: .heartRate))
        XCTAssertEqual(left.map(\.id.high), [2, 3])
        // A person of the same name begins anew.
        _ = try await store.save([.sample(try heartRate(7, person: "ada"))])
        let new = try await store.samples(matching: SampleQuery(type: .heartRate, person: "ada"))
        XCTAssertEqual(new.map(\.id.high), [7])
        XCTAssertEqual(try StoreCheck(path: path).references(), [])
    }

    func testDelete_ofAPersonWhoHasNoRecords_deletesNothing() async throws {
        let store = try SQLiteStore(path: path)
        _ = try await store.save(heartRates(0..<3))
        let counts = try await store.delete(.person("zoe"), at: now)
        XCTAssertEqual(counts, [])
    }

    func testDelete_withAnyRecords_leavesWhatTheModelHas() async throws {
        var run = FuzzRun("deletions", inputs: 20)
        while var random = run.next() {
            let path = "\(folder)/\(UInt64.random(in: 0 ... .max, using: &random)).sqlite"
            for problem in try await play(path, &random) { run.expect(false, problem) }
        }
        XCTAssertEqual(run.finish(), [])
    }

    private func anyRecord(_ random: inout SeededGenerator) throws -> Record {
        let number = Int.random(in: 0..<64, using: &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0: return .correlation(try pressure(number, at: number))
        case 1: return .category(try sleep(number, from: number, to: number + 3))
        default:
            return .sample(
                try heartRate(number, person: [nil, "ada", "bob"][number % 3]))
        }
    }

    /// The model: the stored records, and the ids that must not return.
    private func play(
        _ path: String, _ random: inout SeededGenerator
    ) async throws -> [String] {
        let store = try SQLiteStore(path: path)
        var model: [RecordID: Record] = [:]
        var deleted: Set<RecordID> = []
        for step in 0..<25 {
            let choice = Int.random(in: 0..<4, using: &random)
            var gone: [Record] = []
            switch choice {
            case 0, 1:
                let records = try (0..<30).map { _ in try anyRecord(&random) }
                _ = try await store.save(records, restoring: choice == 1)
                for record in records where choice == 1 || !deleted.contains(record.id) {
                    model[record.id] = record
                    deleted.remove(record.id)
                }
            case 2:
                let ids = try (0..<8).map { _ in try anyRecord(&random).id }
                gone = ids.compactMap { model[$0] }
                _ = try await store.delete(
                    .records(ids, kinds: Set(RecordKind.allCases)), at: now)
            default:
                gone = model.values.filter { $0.person == "ada" }
                _ = try await store.delete(.person("ada"), at: now)
            }
            for record in gone {
                model[record.id] = nil
                deleted.insert(record.id)
            }
            var found: [String] = try StoreCheck(path: path).references()
            for kind in [(0, "category"), (0, "correlation")] {
                let count = model.values.count { $0.tableName == kind.1 }
                let stored = try integer("SELECT count(*) FROM \(kind.1)", at: path)
                if Int(stored) != count { found.append("\(kind.1): \(stored), not \(count)") }
            }
            let samples = try await store.samples(matching: SampleQuery(type: .heartRate))
            let wanted = model.values.filter { $0.tableName == "sample" }.map(\.id)
            if Set(samples.map(\.id)) != Set(wanted) { found.append("other samples") }
            let noted = deleted.count + deleted.count { $0.low == 7 } * 2
            let tombstones = try integer("SELECT count(*) FROM deletion", at: path)
            if Int(tombstones) != noted { found.append("\(tombstones) notes, not \(noted)") }
            let tally = try integer("SELECT stored - removed FROM tally", at: path)
            let all = try integer("SELECT count(*) FROM sample", at: path)
            if tally != all { found.append("the tally is \(tally), not \(all)") }
            guard found.isEmpty else { return found.map { "step \(step): \($0)" } }
        }
        return []
    }
}

extension Record {
    fileprivate var tableName: String {
        switch self {
        case .sample: "sample"
        case .category: "category"
        case .correlation: "correlation"
        case .workout: "workout"
        case .event: "event"
        case .deletion: "deletion"
        }
    }
}
