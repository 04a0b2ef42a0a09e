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
    /// The errors of files and folders that cannot be read.
    package private(set) var failures: [HostError] = []
    private var otherCount = 0
    private var deepCount = 0

    /// Finds the files; one that cannot be read is a failure, and does not stop the others.
    ///
    /// - Throws: ``HostError`` when there are too many files.
    package init(_ paths: [String]) throws(HostError) {
        for path in paths {
            switch kind(of: path, followsLinks: true) {
            case nil: continue
            case S_IFDIR: try add(folder: path, depth: 1)
            default:
                guard let format = format(of: path) else { continue }
                files.append(File(path: path, format: format))
            }
        }
    }

    /// The number of files and of failures.
    package var count: Int { files.count + failures.count }

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

    /// Removes the files that cannot be opened, each of which is a failure.
    package mutating func removeUnreadable(_ open: (File) throws(HostError) -> Void) {
        let all = files
        files = all.filter { file in
            reading { () throws(HostError) in try open(file) } != nil
        }
    }

    /// Adds what is in a folder; hidden files and symbolic links are not followed.
    private mutating func add(folder: String, depth: Int) throws(HostError) {
        guard depth <= Self.maximumDepth else {
            deepCount += 1
            return
        }
        let base = folder.hasSuffix("/") ? String(folder.dropLast()) : folder
        let names = reading { () throws(HostError) in try Folder.names(in: folder) } ?? []
        for name in names where !name.hasPrefix(".") {
            let path = "\(base)/\(name)"
            switch kind(of: path, followsLinks: false) {
            case nil: continue
            case S_IFDIR: try add(folder: path, depth: depth + 1)
            case S_IFREG: try add(file: path)
            default: otherCount += 1
            }
        }
    }

    private mutating func add(file path: String) throws(HostError) {
        guard let found = format(of: path) else { return }
        guard let format = found else {
            otherCount += 1
            return
        }
        guard files.count < Self.maximumCount else {
            throw HostError(
                .failure, "more than \(Self.maximumCount) files; import the folders one by one")
        }
        files.append(File(path: path, format: format))
    }

    /// The kind of a file; nil when it cannot be read.
    private mutating func kind(of path: String, followsLinks: Bool) -> mode_t? {
        reading { () throws(HostError) in
            var status = stat()
            guard (followsLinks ? stat(path, &status) : lstat(path, &status)) == 0 else {
                throw .system("read", path, errno: errno)
            }
            return status.st_mode & S_IFMT
        }
    }

    /// The format of a file, nil within for another one; nil when it cannot be read.
    private mutating func format(of path: String) -> ImportFormat?? {
        reading { () throws(HostError) in
            ImportFormat(start: try FilePieces(path, pieceSize: ImportFormat.startSize).next())
        }
    }

    /// The value that is read; nil after a failure.
    private mutating func reading<Value>(_ read: () throws(HostError) -> Value) -> Value? {
        do throws(HostError) {
            return try read()
        } catch {
            failures.append(error)
            return nil
        }
    }
}
