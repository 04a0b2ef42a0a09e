import Glibc
import HealthModel
import SQLite

/// Restores a journal at its path after the file was removed or moved while open.
struct JournalRestoration {
    let path: String
    let time: Instant

    /// Copies the open journal to a new file.
    ///
    /// - Returns: The temporary path of the new file.
    func copy(_ database: JournalDatabase) throws -> String {
        let draft = JournalRecovery.draft(of: path)
        unlink(draft)
        let file = open(draft, O_RDONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        defer { close(file) }
        do {
            let copy = try database.connection.prepare("VACUUM INTO ?1")
            try copy.bind(text: draft, at: 1)
            try copy.run()
            // VACUUM INTO does not sync the new file.
            fsync(file)
        } catch {
            unlink(draft)
            throw error
        }
        return draft
    }

    /// Moves a foreign file at the path to a backup path, which is returned.
    ///
    /// The journal must still be open: closing it removes the log at the path.
    func clearPath(_ location: JournalLocation) throws -> String? {
        let backupPath = JournalRecovery.unusedName(beside: path, at: time)
        var movedTo: String?
        if access(path, F_OK) == 0, !location.isFileInPlace {
            try JournalRecovery.move(path, to: backupPath)
            movedTo = backupPath
        }
        if access("\(path)-wal", F_OK) == 0, !location.isLogInPlace {
            try JournalRecovery.move("\(path)-wal", to: "\(backupPath)-wal")
        }
        return movedTo
    }

    /// Moves the new file to the path, after the old one was closed.
    func install(_ draft: String) throws {
        // SQLite would apply a leftover log to the new file.
        unlink("\(path)-wal")
        unlink("\(path)-shm")
        try JournalRecovery.move(draft, to: path)
    }
}
