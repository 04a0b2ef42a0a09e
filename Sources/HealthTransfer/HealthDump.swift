import AppleHealth
package import GatewayHost
package import HealthModel
package import SQLiteStore
package import Terminal

/// Writes the records of a store as a file, page by page.
package struct HealthDump {
    /// The records to write.
    package struct Selection {
        /// The person; nil for all records.
        let person: String?
        let from: Instant?
        let to: Instant?

        /// Whether no record is left out.
        var isEverything: Bool { person == nil && from == nil && to == nil }

        package init(person: String?, from: Instant?, to: Instant?) {
            self.person = person
            self.from = from
            self.to = to
        }
    }

    private let store: SQLiteStore
    private let types: QuantityTypes
    private let selection: Selection
    private var writer: any RecordFileWriter
    private var progress: ProgressLine

    /// Makes the export of a person, whose characteristics that of Apple Health starts with.
    package init(
        of store: SQLiteStore, as format: ExportFormat, _ types: QuantityTypes,
        _ selection: Selection, person: Person?, now: Instant, calendar: LocalCalendar,
        progress: ProgressLine
    ) {
        self.store = store
        self.types = types
        self.selection = selection
        self.progress = progress
        writer =
            switch format {
            case .apple: AppleHealthWriter(at: now, person: person, calendar: calendar)
            case .ndjson: RecordLinesWriter()
            case .csv: SampleTableWriter()
            }
    }

    /// The number of records that were written.
    package var count: Int { writer.count }

    /// What was left out, one line for each reason.
    package var omissions: [String] { writer.omissions }

    /// Writes the whole export; `write` returns false when nobody reads it any more.
    package mutating func run(
        write: ([UInt8]) throws(HostError) -> Bool
    ) async throws(HostError) {
        defer { progress.end() }
        do {
            let expected =
                selection.isEverything && progress.isShown
                ? try await store.count(of: types) : nil
            for type in exportedTypes {
                let query = RecordQuery(
                    type: type, from: selection.from, to: selection.to, person: selection.person)
                for try await page in store.pages(matching: query, types: types) {
                    for record in page { writer.add(record) }
                    guard try write(writer.takeBytes()) else { return }
                    if let expected {
                        progress.show(count: count, of: max(expected, count))
                    } else {
                        progress.show(count: count)
                    }
                }
            }
        } catch let error as HostError {
            throw error
        } catch {
            throw HostError(error)
        }
        writer.finish()
        _ = try write(writer.takeBytes())
    }

    /// All types; those without an equivalent are counted by the writer.
    private var exportedTypes: [RecordType?] {
        types.all.map { .quantity($0) } + CategoryType.all.map { .category($0) }
            + CorrelationType.allCases.map { .correlation($0) } + [.workout, nil]
    }
}
