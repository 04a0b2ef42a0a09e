import GatewayCore
import Glibc

/// Chooses how the log looks and where it goes: standard error, as journald or a person reads it.
enum LogOutput {
    /// Debug messages are shown when `PULSEGATE_DEBUG` is set.
    static func logger(environment: Environment, screen: TerminalScreen?) -> Logger {
        let isForJournal = isJournal(environment)
        let lowest: Logger.Level = environment["PULSEGATE_DEBUG"] == nil ? .info : .debug
        return Logger(component: "pulsegate") { record in
            guard record.level >= lowest else { return }
            if isForJournal {
                StandardStream.error.write(LogFormat.journal(record))
            } else if let screen {
                screen.log(LogFormat.plain(record))
            } else {
                StandardStream.error.write(LogFormat.plain(record))
            }
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
