import GatewayCore
import Glibc

/// Where a journal's file and its log were when it was opened.
///
/// SQLite goes on in a file that somebody has removed or moved away, and what it writes then is gone with
/// the process.
struct JournalWhereabouts {
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
    private let file: Identity?
    private var log: Identity?
    private var looked: BootInstant

    /// What makes two paths the same file.
    private struct Identity: Equatable {
        let device: dev_t
        let number: ino_t

        init?(_ path: String) {
            var status = stat()
            guard stat(path, &status) == 0 else { return nil }
            device = status.st_dev
            number = status.st_ino
        }
    }

    /// Remembers where a file is that was opened just now.
    init(_ path: String, at now: BootInstant) {
        self.path = path
        file = Identity(path)
        log = Identity("\(path)-wal")
        looked = now
    }

    /// Looks whether both are where they were, unless that was done a moment ago.
    mutating func lookNowAndThen(at now: BootInstant) throws(Moved) {
        findLog()
        guard now.seconds(since: looked) >= Self.pauseSeconds else { return }
        try look(at: now)
    }

    /// Looks whether both are where they were.
    mutating func look(at now: BootInstant) throws(Moved) {
        looked = now
        findLog()
        guard isUnmoved, isLogUnmoved else { throw Moved(path: path) }
    }

    /// SQLite makes the log when it first needs it.
    private mutating func findLog() {
        if log == nil { log = Identity("\(path)-wal") }
    }

    /// Whether the file itself is where it was.
    var isUnmoved: Bool { file == Identity(path) }

    /// Whether the log at the path is this journal's own.
    var isLogUnmoved: Bool { log == Identity("\(path)-wal") }
}
