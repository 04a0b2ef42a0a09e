package import GatewayCore
import JSON
import JournalLog
import SQLiteJournal

/// Warnings about pending records of the journal that a new configuration would discard.
package struct BacklogNotes {
    /// The ledger of the journal; for a running gateway, only the pending records of each sink.
    private let ledger: Ledger

    /// Creates the notes for a ledger.
    package init(_ ledger: Ledger) {
        self.ledger = ledger
    }

    /// Creates the notes for a running gateway, from the number of pending records of each sink.
    package init(pending: [String: Int64]) {
        // The pending records are the published ones minus the cursor; nothing is published here.
        self.init(Ledger(sinks: pending.mapValues { Ledger.Sink(start: -$0, cursor: -$0) }))
    }

    /// Reads the journal of a data directory that no gateway uses.
    package init(journalIn folder: DataDirectory) {
        let ledger =
            LogInspector.ledger(at: folder.resolve(DataFiles.journal))
            ?? JournalInspector.ledger(at: folder.resolve(DataFiles.earlierJournal))
        self.init(ledger ?? Ledger())
    }

    /// The number of pending records of each sink.
    package var pending: [String: Int64] {
        ledger.sinks.keys.reduce(into: [:]) { $0[$1] = ledger.pending(for: $1) }
    }

    /// Returns a note for each removed sink with pending records and each unknown previous name.
    package func notes(for sinks: [JournalSink]) -> [String] {
        let discarded = ledger.left(by: sinks).compactMap { name -> String? in
            let count = ledger.pending(for: name)
            guard count > 0 else { return nil }
            return
                "\(count) records are pending for `\(name)`, which is no longer a sink, and will be "
                + "discarded; if the sink was renamed, set its `previousName: \"\(name)\"`"
        }
        let unknown = sinks.compactMap { sink -> String? in
            guard let former = sink.previousName, !ledger.sinks.isEmpty,
                ledger.sinks[sink.name] == nil, ledger.sinks[former] == nil
            else { return nil }
            return
                "sinks.\(sink.name).previousName: unknown sink `\(former)` in the journal, "
                + "`\(sink.name)` starts as a new sink; "
                + Suggestion.message(unknown: former, known: ledger.sinks.keys.sorted())
        }
        return discarded + unknown
    }
}
