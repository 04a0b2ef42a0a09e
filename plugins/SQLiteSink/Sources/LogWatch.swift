import Glibc
import Platform

/// The monitoring of the write-ahead log, which grows while programs read without a pause.
///
/// SQLite checkpoints the log as far as readers permit, and restarts it when none uses it.
struct LogWatch {
    /// The size above which the log is truncated.
    static let defaultLimitBytes: Int64 = 64 << 20
    /// The time between two attempts, in seconds.
    static let retrySeconds = 60.0

    private let limitBytes: Int64
    private var nextRetry: BootInstant?
    /// Whether it was logged that truncation is blocked.
    private(set) var isBlocked = false

    init(limitBytes: Int64 = LogWatch.defaultLimitBytes) {
        self.limitBytes = limitBytes
    }

    /// Returns the size of a log that must be truncated now; nil if there is nothing to do.
    mutating func excess(of path: String, at now: BootInstant) -> Int64? {
        guard nextRetry.map({ now >= $0 }) ?? true else { return nil }
        var status = stat()
        let bytes = stat(path, &status) == 0 ? Int64(status.st_size) : 0
        guard bytes > limitBytes || isBlocked else { return nil }
        nextRetry = now.adding(seconds: Self.retrySeconds)
        return bytes
    }

    /// Notes the result of an attempt; true if it should be logged.
    mutating func note(isTruncated: Bool) -> Bool {
        defer { isBlocked = !isTruncated }
        return isTruncated == isBlocked
    }
}
