package import GatewayHost
import Glibc
import Platform

/// The files to import: those that are named, and those in folders that have a known format.
package struct ImportList {
    /// The maximum depth of folders.
    static let maximumDepth = 16
    /// The maximum number of files.
    static let maximumCount = 100_000

    /// A file with its format; nil for a named file with another one, which is reported when it is read.
    package struct File: Hashable, Sendable {
        package let path: String
        package let format: ImportFormat?
    }

    /// The files in the order of the arguments, within a folder by their names.
    package private(set) var files: [File] = []
    private var otherCount = 0
    private var deepCount = 0

    /// Finds the files.
    ///
    /// - Throws: ``HostError`` when a named file or folder cannot be read.
    package init(_ paths: [String]) throws(HostError) {
        for path in paths {
            switch try Self.kind(of: path, followsLinks: true) {
            case S_IFDIR: try add(folder: path, depth: 1)
            default: files.append(File(path: path, format: try Self.format(of: path)))
            }
        }
    }

    /// What was left out, one line for each reason.
    package var notes: [String] {
        var notes: [String] = []
        if otherCount > 0 {
            let noun = otherCount == 1 ? "file of another format" : "files of other formats"
            notes.append("left out: \(otherCount) \(noun)")
        }
        if deepCount > 0 {
            let noun = deepCount == 1 ? "folder" : "folders"
            notes.append("left out: \(deepCount) \(noun) deeper than \(Self.maximumDepth) levels")
        }
        return notes
    }

    /// Adds what is in a folder; hidden files and symbolic links are not followed.
    private mutating func add(folder: String, depth: Int) throws(HostError) {
        guard depth <= Self.maximumDepth else {
            deepCount += 1
            return
        }
        let base = folder.hasSuffix("/") ? String(folder.dropLast()) : folder
        for name in try Folder.names(in: folder) where !name.hasPrefix(".") {
            let path = "\(base)/\(name)"
            switch try Self.kind(of: path, followsLinks: false) {
            case S_IFDIR: try add(folder: path, depth: depth + 1)
            case S_IFREG: try add(file: path)
            default: otherCount += 1
            }
        }
    }

    private mutating func add(file path: String) throws(HostError) {
        guard let format = try Self.format(of: path) else {
            otherCount += 1
            return
        }
        guard files.count < Self.maximumCount else {
            throw HostError(
                .failure, "more than \(Self.maximumCount) files; import the folders one by one")
        }
        files.append(File(path: path, format: format))
    }

    private static func kind(of path: String, followsLinks: Bool) throws(HostError) -> mode_t {
        var status = stat()
        guard (followsLinks ? stat(path, &status) : lstat(path, &status)) == 0 else {
            throw .system("read", path, errno: errno)
        }
        return status.st_mode & S_IFMT
    }

    private static func format(of path: String) throws(HostError) -> ImportFormat? {
        ImportFormat(start: try FilePieces(path, pieceSize: ImportFormat.startSize).next())
    }
}
