import GatewayCore
import SQLite

/// What a configuration does to records that wait in the journal, before it does it.
struct BacklogNotes {
    /// How many records wait for each sink that the journal knows.
    let pending: [String: Int64]

    init(pending: [String: Int64]) {
        self.pending = pending
    }

    /// Asks the running gateway, or looks into the journal when none runs.
    init(in folder: DataFolder) {
        if DataFolderLock.owner(of: folder) != nil {
            pending = Self.ofRunningGateway(folder)
        } else {
            let ledger = JournalPeek.ledger(at: folder.resolve(DataFiles.journal))
            let names = ledger?.sinks.keys.map { $0 } ?? []
            pending = Dictionary(
                uniqueKeysWithValues: names.map { ($0, ledger?.pending(for: $0) ?? 0) })
        }
    }

    private static func ofRunningGateway(_ folder: DataFolder) -> [String: Int64] {
        do {
            var client = try ControlClient(folder, isSimulation: false, clock: SystemClock())
            let report = try StatusReport(line: try client.ask(.status))
            return Dictionary(
                report.sinks.map { ($0.part.name, $0.pending) }, uniquingKeysWith: { $1 })
        } catch {
            return [:]
        }
    }

    /// One note for each sink whose records are given up, and for each former name that nobody has.
    func notes(for sinks: [JournalSink]) -> [String] {
        let taken = Set(sinks.map(\.name)).union(
            sinks.filter { pending[$0.name] == nil }.compactMap(\.formerly))
        let lost = pending.filter { $0.value > 0 && !taken.contains($0.key) }
        let givenUp = lost.sorted { $0.key < $1.key }.map { name, count in
            "\(count) records wait for `\(name)`, which is not among the sinks any more: they will be "
                + "given up; a sink that goes on in its place says `formerly: \"\(name)\"`"
        }
        let unknown = sinks.compactMap { sink -> String? in
            guard let former = sink.formerly, pending[sink.name] == nil, pending[former] == nil,
                !pending.isEmpty
            else { return nil }
            return "sinks.\(sink.name).formerly: the journal knows no sink `\(former)`, so that "
                + "`\(sink.name)` begins anew; "
                + Suggestion.message(unknown: former, known: pending.keys.sorted())
        }
        return givenUp + unknown
    }
}
