import GatewayTesting
import HealthModel
import JournalLog
import XCTest

@testable import GatewayCore
@testable import GatewayHost
@testable import GatewayJournal
@testable import Platform

/// Tests of the number of records that wait in a journal for the store.
final class WaitingRecordsTests: XCTestCase {
    private func samples(_ type: QuantityType, _ numbers: Range<Int>) throws -> [Record] {
        try numbers.map { number in
            let time = Instant(
                nanosecondsSince1970: 1_795_000_000_000_000_000 + Int64(number) * 1_000)
            return .sample(
                try QuantitySample(
                    id: RecordID.make(
                        start: time, device: "d", stream: type.name, key: UInt64(number)),
                    type: type, start: time, end: time,
                    quantity: Quantity(72, type.canonicalUnit)))
        }
    }

    /// What a crashed gateway leaves: a journal of several segments, of which the store has the first records.
    private func makeJournal(at path: String, delivered: Int64) async throws {
        let file = try LogJournalFile(
            path: path, durability: .crash,
            sizes: LogSizes(segment: 40 << 10, reserve: 0))
        let journal = try Journal(
            file: file, sinks: ["store"], clock: ManualClock(), log: Logger(component: "t") { _ in }
        )
        for start in stride(from: 0, to: 200, by: 10) {
            let rates = try samples(.heartRate, start..<start + 8)
            let masses = try samples(.bodyMass, start + 8..<start + 10)
            var addition = Ledger.Ingest()
            (addition.converted, addition.published) = (10, 10)
            await journal.append(RecordBatch(rates + masses).lines, addition: addition)
            await journal.commit()
        }
        var outcome = Ledger.Outcome()
        outcome.delivered = delivered
        await journal.advance("store", from: 0, to: delivered, adding: outcome)
        await journal.close()
        await journal.finish()
    }

    func testCount_isThatOfTheRecordsThatTheStoreTakes() async throws {
        for (types, delivered, expected) in [
            ("", 0, 200), ("", 15, 185), (#", types: ["bodyMass"]"#, 0, 40),
            (#", types: ["bodyMass"]"#, 9, 39), (#", types: ["heartRate"]"#, 15, 147),
            (#", types: ["stepCount"]"#, 0, 0), (#", types: ["bodyMass"]"#, 200, 0),
        ] {
            let folder = try TemporaryFolder()
            let path = folder.path("journal")
            try await makeJournal(at: path, delivered: Int64(delivered))
            let text = "{ sinks: { store: { use: \"sqlite\"\(types) } } }"
            let configuration = try folder.write(Array(text.utf8), to: "pulsegate.json5")
            let file = try ConfigurationFile.load(
                option: configuration, environment: Environment(variables: [:]), types: .standard)
            let store = try StoreFile(
                file, DataDirectory(path: folder.path), usesConfiguredSinks: true)
            XCTAssertEqual(
                store.waitingCount(inJournal: path, types: .standard), Int64(expected),
                "\(types) after \(delivered)")
        }
    }
}
