package import GatewayHost
import Glibc
package import SQLiteStore

/// A workout file that is imported for a person: the file that the user names, or its copy.
package struct WorkoutImportFile: Hashable, Sendable {
    /// The path for messages.
    package let name: String
    /// The person whose workout it is.
    package let person: String
    /// The path of the file with all symbolic links resolved.
    let path: String
    /// The path of the copy; nil for the file itself.
    package let copy: String?
    /// The number of bytes before the content of the workout.
    let offset: Int

    /// Names the file at a path, which may be a symbolic link.
    package init(_ path: String, person: String) throws(HostError) {
        guard let resolved = realpath(path, nil) else { throw .system("read", path, errno: errno) }
        defer { free(resolved) }
        self.init(
            name: path, person: person, path: String(cString: resolved), copy: nil, offset: 0)
    }

    init(name: String, person: String, path: String, copy: String?, offset: Int) {
        self.name = name
        self.person = person
        self.path = path
        self.copy = copy
        self.offset = offset
    }

    /// What the store calls the file.
    package var origin: ImportedFile { ImportedFile(path: path) }

    /// The content of the workout, from its start.
    package func pieces() throws(HostError) -> FilePieces {
        let pieces = try FilePieces(copy ?? name)
        if offset > 0 { try pieces.seek(to: offset) }
        return pieces
    }
}
