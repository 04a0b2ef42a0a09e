import Platform

/// The identities of a journal's file and write-ahead log at the time it was opened.
///
/// SQLite continues to write to a file that was removed or moved, and those writes are lost when
/// the process ends.
struct JournalLocation {
    /// The file or its log is no longer at the path.
    struct Moved: Error, CustomStringConvertible {
        let path: String

        var description: String {
            "\(path): the file was removed, moved or replaced while in use"
        }
    }

    /// The minimum time between two periodic checks, in seconds.
    private static let checkIntervalSeconds = 1.0

    private let path: String
    private let file: FileIdentity?
    private var log: FileIdentity?
    private var lastCheck: BootInstant

    /// Records the identities of a file that was just opened.
    init(_ path: String, at now: BootInstant) {
        self.path = path
        file = FileIdentity(path: path)
        log = FileIdentity(path: "\(path)-wal")
        lastCheck = now
    }

    /// Checks the file and its log, unless the last check was a moment ago.
    mutating func checkPeriodically(at now: BootInstant) throws(Moved) {
        recordLog()
        guard now.seconds(since: lastCheck) >= Self.checkIntervalSeconds else { return }
        try check(at: now)
    }

    /// Checks the file and its log; after a failure every periodic check is carried out.
    mutating func check(at now: BootInstant) throws(Moved) {
        recordLog()
        guard isFileInPlace, isLogInPlace else { throw Moved(path: path) }
        lastCheck = now
    }

    /// Records the log, which SQLite creates when it first needs it.
    private mutating func recordLog() {
        if log == nil { log = FileIdentity(path: "\(path)-wal") }
    }

    /// Whether the file is still at the path.
    var isFileInPlace: Bool { file == FileIdentity(path: path) }

    /// Whether the log at the path belongs to this journal.
    var isLogInPlace: Bool { log == FileIdentity(path: "\(path)-wal") }
}
