package import GatewayCore
import JSON
import SQLiteJournal

/// What a configuration does to records that wait in the journal, before it does it.
package struct BacklogNotes {
    /// What the journal knows of its sinks; of a running gateway's only how many records wait for each.
    private let ledger: Ledger

    package init(_ ledger: Ledger) {
        self.ledger = ledger
    }

    package init(pending: [String: Int64]) {
        // As many wait as a sink is behind what was published, which is nothing here.
        self.init(Ledger(sinks: pending.mapValues { Ledger.Sink(start: -$0, cursor: -$0) }))
    }

    /// Looks into the journal of a data directory that no gateway uses.
    package init(journalIn folder: DataDirectory) {
        self.init(JournalInspector.ledger(at: folder.resolve(DataFiles.journal)) ?? Ledger())
    }

    /// One note for each sink whose records are given up, and for each former name that nobody has.
    package func notes(for sinks: [JournalSink]) -> [String] {
        let givenUp = ledger.left(by: sinks).compactMap { name -> String? in
            let count = ledger.pending(for: name)
            guard count > 0 else { return nil }
            return
                "\(count) records wait for `\(name)`, which is not among the sinks any more: they "
                + "will be given up; a sink that goes on in its place says `previousName: \"\(name)\"`"
        }
        let unknown = sinks.compactMap { sink -> String? in
            guard let former = sink.previousName, !ledger.sinks.isEmpty,
                ledger.sinks[sink.name] == nil, ledger.sinks[former] == nil
            else { return nil }
            return
                "sinks.\(sink.name).previousName: the journal knows no sink `\(former)`, so that "
                + "`\(sink.name)` begins anew; "
                + Suggestion.message(unknown: former, known: ledger.sinks.keys.sorted())
        }
        return givenUp + unknown
    }
}
