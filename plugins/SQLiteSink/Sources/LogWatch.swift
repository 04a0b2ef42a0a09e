import Glibc
import Platform

/// Watches the size of the write-ahead log, which grows as long as somebody reads without a pause.
///
/// SQLite brings the log into the file by itself, as far as readers let it, and begins it anew when none
/// is left that reads from it.
struct LogWatch {
    /// A larger log is cut back.
    static let defaultLimitBytes: Int64 = 64 << 20
    /// The time between two tries, in seconds.
    static let trySeconds = 60.0

    private let limitBytes: Int64
    private var nextTry: BootInstant?
    /// Whether it was told that the log is held up, and not yet that it is not any more.
    private(set) var isHeldUp = false

    init(limitBytes: Int64 = LogWatch.defaultLimitBytes) {
        self.limitBytes = limitBytes
    }

    /// The size of a log that must be cut back now; nil when there is nothing to do.
    mutating func excess(of path: String, at now: BootInstant) -> Int64? {
        guard nextTry.map({ now >= $0 }) ?? true else { return nil }
        var status = stat()
        let bytes = stat(path, &status) == 0 ? Int64(status.st_size) : 0
        guard bytes > limitBytes || isHeldUp else { return nil }
        nextTry = now.adding(seconds: Self.trySeconds)
        return bytes
    }

    /// It was tried; whether that is something to tell.
    mutating func note(isCut: Bool) -> Bool {
        defer { isHeldUp = !isCut }
        return isCut == isHeldUp
    }
}
