import Glibc
package import Platform
package import Terminal

/// The log's format and destination: standard error, for journald or for a person.
package enum LogOutput {
    /// How long to wait at the end of a command for the log to be written, in seconds.
    package static let drainSeconds = 0.5

    /// A queue that writes to standard error, or above the lines of a screen.
    package static func queue(screen: TerminalScreen?) -> LogQueue {
        LogQueue { line in
            if let screen { screen.log(line) } else { StandardStream.error.write(line) }
        }
    }

    /// A logger that writes into a queue.
    ///
    /// Debug messages are shown when `PULSEGATE_DEBUG` is set.
    package static func logger(environment: Environment, queue: LogQueue) -> Logger {
        let isForJournal = isJournal(environment)
        let lowest: Logger.Level = environment["PULSEGATE_DEBUG"] == nil ? .info : .debug
        return Logger(component: "pulsegate") { record in
            guard record.level >= lowest else { return }
            queue.append(isForJournal ? LogFormat.journal(record) : LogFormat.plain(record))
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
