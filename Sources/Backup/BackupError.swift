/// Why a file is not a backup that can be restored.
package enum BackupError: Error, Equatable, CustomStringConvertible {
    /// It is something else, or its first block is damaged.
    case foreign
    /// It cannot be read; the text is that of the system.
    case unreadable(String)
    /// It ends before the backup does.
    case truncated
    /// A part of it is not what was written; the text names the part.
    case damaged(String)
    /// Its format is one of a later version.
    case newer(format: Int64, version: String)
    /// It has a file that no backup has, such as one outside the folder.
    case unknownMember(String)

    /// What is wrong, and what to do.
    package var description: String {
        switch self {
        case .foreign:
            "is not a backup of `pulsegate backup`, or its beginning is damaged; use another file"
        case .unreadable(let reason):
            "cannot be read: \(reason)"
        case .truncated:
            "is incomplete: it ends before the backup does; copy it again, or use another backup"
        case .damaged(let part):
            "is damaged: \(part); copy it again, or use another backup"
        case .newer(let format, let version):
            "has format \(format) of pulsegate \(version), which this version does not know; "
                + "use that version or a later one"
        case .unknownMember(let name):
            "has a file that no backup has: \(name); use a backup that was not changed"
        }
    }
}
