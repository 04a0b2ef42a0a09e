import Platform

/// Where a journal's file and its log were when it was opened.
///
/// SQLite goes on in a file that somebody has removed or moved away, and what it writes then is gone with
/// the process.
struct JournalLocation {
    /// Why a journal is not where it was.
    struct Moved: Error, CustomStringConvertible {
        let path: String

        var description: String {
            "\(path): it was removed, moved or replaced while it was in use"
        }
    }

    /// How often it is looked for at most, in seconds.
    private static let pauseSeconds = 1.0

    private let path: String
    private let file: FileIdentity?
    private var log: FileIdentity?
    private var looked: BootInstant

    /// Remembers where a file is that was opened just now.
    init(_ path: String, at now: BootInstant) {
        self.path = path
        file = FileIdentity(path: path)
        log = FileIdentity(path: "\(path)-wal")
        looked = now
    }

    /// Looks whether both are where they were, unless that was done a moment ago.
    mutating func lookNowAndThen(at now: BootInstant) throws(Moved) {
        findLog()
        guard now.seconds(since: looked) >= Self.pauseSeconds else { return }
        try look(at: now)
    }

    /// Looks whether both are where they were; once they are not, it is looked for every time.
    mutating func look(at now: BootInstant) throws(Moved) {
        findLog()
        guard isUnmoved, isLogUnmoved else { throw Moved(path: path) }
        looked = now
    }

    /// SQLite makes the log when it first needs it.
    private mutating func findLog() {
        if log == nil { log = FileIdentity(path: "\(path)-wal") }
    }

    /// Whether the file itself is where it was.
    var isUnmoved: Bool { file == FileIdentity(path: path) }

    /// Whether the log at the path is this journal's own.
    var isLogUnmoved: Bool { log == FileIdentity(path: "\(path)-wal") }
}
