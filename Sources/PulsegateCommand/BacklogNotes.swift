import GatewayCore
import SQLite

/// What a configuration does to records that wait in the journal, before it does it.
struct BacklogNotes {
    /// What the journal knows of its sinks; of a running gateway's only how many records wait for each.
    private let ledger: Ledger

    init(_ ledger: Ledger) {
        self.ledger = ledger
    }

    init(pending: [String: Int64]) {
        // As many wait as a sink is behind what was published, which is nothing here.
        self.init(Ledger(sinks: pending.mapValues { Ledger.Sink(start: -$0, cursor: -$0) }))
    }

    /// Asks the running gateway, or looks into the journal when none runs.
    init(in folder: DataFolder) {
        if DataFolderLock.owner(of: folder) != nil {
            self.init(pending: Self.ofRunningGateway(folder))
        } else {
            self.init(JournalPeek.ledger(at: folder.resolve(DataFiles.journal)) ?? Ledger())
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
        let givenUp = ledger.left(by: sinks).compactMap { name -> String? in
            let count = ledger.pending(for: name)
            guard count > 0 else { return nil }
            return
                "\(count) records wait for `\(name)`, which is not among the sinks any more: they "
                + "will be given up; a sink that goes on in its place says `formerly: \"\(name)\"`"
        }
        let unknown = sinks.compactMap { sink -> String? in
            guard let former = sink.formerly, !ledger.sinks.isEmpty,
                ledger.sinks[sink.name] == nil, ledger.sinks[former] == nil
            else { return nil }
            return "sinks.\(sink.name).formerly: the journal knows no sink `\(former)`, so that "
                + "`\(sink.name)` begins anew; "
                + Suggestion.message(unknown: former, known: ledger.sinks.keys.sorted())
        }
        return givenUp + unknown
    }
}
