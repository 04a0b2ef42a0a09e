import Glibc
package import Platform
package import Terminal

/// The log's format and destination: standard error, for journald or for a person.
package enum LogOutput {
    /// How long to wait at the end of a command for the log to be written, in seconds.
    package static let drainSeconds = 0.5

    /// The format of the lines.
    package enum Format: String, CaseIterable, Sendable {
        /// Plain text; for journald its own fields.
        case text
        /// A JSON object on each line.
        case json
    }

    /// A queue that writes to standard error, or above the lines of a screen, or to journald.
    package static func queue(screen: TerminalScreen?, format: Format = .text) -> LogQueue {
        let journal = DatagramSocket(LogFormat.journalSocket)
        return LogQueue(
            dropped: { count in line(of: droppedLines(count), format, isForJournal: false) },
            writeEntry: { journal?.send(Array($0.utf8)) ?? false },
            write: { line in
                if let screen { screen.log(line) } else { StandardStream.error.write(line) }
            })
    }

    private static func droppedLines(_ count: Int) -> Logger.Record {
        Logger.Record(
            level: .warning, component: "log", message: "lines dropped",
            fields: [("count", "\(count)")])
    }

    /// A logger that writes into a queue.
    ///
    /// Debug messages are shown when `PULSEGATE_DEBUG` is set.
    package static func logger(
        environment: Environment, queue: LogQueue, format: Format = .text
    ) -> Logger {
        let isForJournal = isJournal(environment)
        let lowest: Logger.Level = environment["PULSEGATE_DEBUG"] == nil ? .info : .debug
        return Logger(component: "pulsegate") { record in
            guard record.level >= lowest else { return }
            let hasEntry = isForJournal && format == .text
            queue.append(
                line(of: record, format, isForJournal: isForJournal),
                entry: hasEntry ? LogFormat.journalEntry(record) : nil)
        }
    }

    private static func line(
        of record: Logger.Record, _ format: Format, isForJournal: Bool
    ) -> String {
        switch format {
        case .json: LogFormat.json(record)
        case .text: isForJournal ? LogFormat.journal(record) : LogFormat.plain(record)
        }
    }

    /// Whether standard error is the stream that systemd gave us for its journal
    /// (systemd.exec(5), `$JOURNAL_STREAM`).
    private static func isJournal(_ environment: Environment) -> Bool {
        var status = stat()
        guard let stream = environment["JOURNAL_STREAM"], fstat(STDERR_FILENO, &status) == 0
        else { return false }
        return stream == "\(status.st_dev):\(status.st_ino)"
    }
}
