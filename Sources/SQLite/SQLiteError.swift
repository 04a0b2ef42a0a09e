/// An error of SQLite, with its cause and a remedy.
///
/// SQLite's messages name tables and columns, and the operation is SQL with placeholders: neither
/// contains a bound value.
package struct SQLiteError: Error, Equatable, CustomStringConvertible {
    /// The kinds of failure that callers handle differently.
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

    /// The maximum number of characters of an operation in a message.
    private static let operationLimit = 60

    package let reason: Reason
    /// SQLite's extended result code; 0 when SQLite did not fail.
    package let extendedCode: Int32
    /// A name such as `open`, or the beginning of the SQL that failed.
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

    /// Whether the content of the file is corrupt.
    ///
    /// A statement that fits the schema fails with one of these codes (sqlite.org/rescode.html)
    /// only when the file was altered: ERROR (no such table), TOOBIG, MISMATCH, FORMAT.
    package var isCorruption: Bool {
        switch reason {
        case .corrupt, .notADatabase, .constraint: true
        case .other: [1, 18, 20, 24].contains(code)
        default: false
        }
    }

    /// Whether an interrupted write must be recovered first, which requires write permission
    /// (`SQLITE_READONLY_RECOVERY`, `SQLITE_READONLY_ROLLBACK`).
    package var needsRecovery: Bool { [264, 776].contains(extendedCode) }

    package var description: String {
        let number = extendedCode == 0 ? "" : " [SQLite \(extendedCode)]"
        let text = "\(path): \(operation): \(message)\(number)"
        return remedy.map { "\(text); \($0)" } ?? text
    }

    private var remedy: String? {
        switch reason {
        case .busy: "close the other program that uses the file, or try again"
        case .full: "free space on the file system"
        case .readOnly: "grant this user write permission for the file and its folder"
        case .missing, .cannotOpen: "check that the folder exists and that this user may access it"
        case .corrupt:
            "move the file with its -wal and -shm away, then restore a backup or the output of "
                + "`sqlite3 \(path) .recover` (or .dump)"
        case .notADatabase, .foreignFile: "choose another path or move the file away"
        case .inputOutput:
            // A file size limit also causes SQLITE_IOERR_WRITE.
            extendedCode == 778
                ? "check the kernel log for disk errors and the file size limit (`ulimit -f`)"
                : "check the kernel log for disk errors"
        case .newerFile: "use the version that wrote the file, or a newer one"
        case .constraint, .other: nil
        }
    }
}
