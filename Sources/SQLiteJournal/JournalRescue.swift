import Glibc
import HealthModel
import SQLite

/// Takes a journal that has lost its name, and is still open, back to where it belongs.
struct JournalRescue {
    let path: String
    let time: Instant

    /// Copies what the open journal holds into a new file, as it is.
    ///
    /// - Returns: Where the new file is: not in its place yet.
    func copy(_ database: JournalDatabase) throws -> String {
        let draft = JournalSalvage.draft(of: path)
        unlink(draft)
        let file = open(draft, O_RDONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        defer { close(file) }
        do {
            let copy = try database.connection.prepare("VACUUM INTO ?1")
            try copy.bind(text: draft, at: 1)
            try copy.run()
            // SQLite leaves it to the system when a copy gets to the disk.
            fsync(file)
        } catch {
            unlink(draft)
            throw error
        }
        return draft
    }

    /// Puts aside what has been put at the path by somebody else; where that is now.
    ///
    /// The journal that has lost its name must still be open: closing it removes the log at the path.
    func clearPlace(_ whereabouts: JournalLocation) throws -> String? {
        let aside = JournalSalvage.freeName(beside: path, at: time)
        var movedTo: String?
        if access(path, F_OK) == 0, !whereabouts.isUnmoved {
            try JournalSalvage.move(path, to: aside)
            movedTo = aside
        }
        if access("\(path)-wal", F_OK) == 0, !whereabouts.isLogUnmoved {
            try JournalSalvage.move("\(path)-wal", to: "\(aside)-wal")
        }
        return movedTo
    }

    /// Gives the new file its name, when nobody has the old one open any more.
    func take(_ draft: String) throws {
        // The log of another file would be taken for that of the new one.
        unlink("\(path)-wal")
        unlink("\(path)-shm")
        try JournalSalvage.move(draft, to: path)
    }
}
