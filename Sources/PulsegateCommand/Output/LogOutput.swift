import Glibc
import Platform
import Terminal

/// Chooses how the log looks and where it goes: standard error, as journald or a person reads it.
enum LogOutput {
    /// The queue that writes to standard error, or to the screen when the log has to make way for it.
    static func queue(screen: TerminalScreen?) -> LogQueue {
        LogQueue { line in
            if let screen { screen.log(line) } else { StandardStream.error.write(line) }
        }
    }

    /// A logger that writes into a queue.
    ///
    /// Debug messages are shown when `PULSEGATE_DEBUG` is set.
    static func logger(environment: Environment, queue: LogQueue) -> Logger {
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
