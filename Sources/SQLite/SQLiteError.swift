/// Why SQLite could not do what was asked, and what to do about it.
///
/// SQLite's messages name tables and columns, and the operation is SQL with placeholders: neither
/// holds a bound value.
package struct SQLiteError: Error, Equatable, CustomStringConvertible {
    /// The kinds of failure a caller treats apart.
    package enum Reason: Sendable {
        case busy
        case full
        case readOnly
        case missing
        case cannotOpen
        case corrupt
        case notADatabase
        case constraint
        case inputOutput
        /// The file belongs to another program.
        case foreignFile
        /// The file was written by a newer version of this program.
        case newerFile
        case other
    }

    /// The most characters of an operation that a message repeats.
    private static let operationLimit = 60

    package let reason: Reason
    /// SQLite's extended result code; 0 when SQLite did not fail.
    package let extendedCode: Int32
    /// A word like `open`, or the beginning of the SQL that failed.
    package let operation: String
    package let message: String
    package let path: String

    package init(
        reason: Reason, extendedCode: Int32 = 0, operation: String, message: String, path: String
    ) {
        self.reason = reason
        self.extendedCode = extendedCode
        let words = operation.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        self.operation =
            words.count > Self.operationLimit ? words.prefix(Self.operationLimit) + "…" : words
        self.message = message
        self.path = path
    }

    /// SQLite's primary result code.
    package var code: Int32 { extendedCode & 0xff }

    /// Whether it is the file's content that makes no sense.
    ///
    /// A statement that fits the schema fails with one of these codes (sqlite.org/rescode.html) only
    /// when the file is not what was written: ERROR (no such table), TOOBIG, MISMATCH, FORMAT.
    package var isDamage: Bool {
        switch reason {
        case .corrupt, .notADatabase, .constraint: true
        case .other: [1, 18, 20, 24].contains(code)
        default: false
        }
    }

    /// Whether a write that was cut off must be taken back first, which takes the right to write
    /// (`SQLITE_READONLY_RECOVERY`, `SQLITE_READONLY_ROLLBACK`).
    package var isOfUnfinishedWrite: Bool { [264, 776].contains(extendedCode) }

    package var description: String {
        let number = extendedCode == 0 ? "" : " [SQLite \(extendedCode)]"
        let sentence = "\(path): \(operation): \(message)\(number)"
        return advice.map { "\(sentence); \($0)" } ?? sentence
    }

    private var advice: String? {
        switch reason {
        case .busy: "another program holds the file, end it or try again"
        case .full: "make room on its file system"
        case .readOnly: "give this user the right to write the file and its folder"
        case .missing, .cannotOpen: "see that the folder exists and this user may use it"
        case .corrupt:
            "move it with its -wal and -shm aside, and put a copy in its place or what "
                + "`sqlite3 \(path) .recover` (or .dump) can still read"
        case .notADatabase, .foreignFile: "choose another path or move the file away"
        case .inputOutput:
            // SQLITE_IOERR_WRITE is also what a file gets that may not grow.
            extendedCode == 778
                ? "look for faults of the disk in the kernel's log, and for a limit of the size of "
                    + "files (`ulimit -f`)" : "look for faults of the disk in the kernel's log"
        case .newerFile: "use the program that wrote it, or a newer one"
        case .constraint, .other: nil
        }
    }
}
