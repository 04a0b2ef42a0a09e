package import GatewayCore
import Glibc
package import HealthModel
package import Platform

/// The folder of the stored secrets in a data directory: one file for each, which only its owner can read.
///
/// Sinks and sources read them as `{ secret: "NAME" }`. Nothing here returns a value.
package struct SecretsFolder {
    /// A stored secret without its value.
    package struct Entry: Equatable, Sendable {
        /// Its name.
        package let name: PlainName
        /// When it was set.
        package let time: Instant
    }

    /// The maximum number of secrets.
    package static let limit = 1_000

    private let folder: DataDirectory
    private let clock: any BootClock

    /// Creates the folder of a data directory, without reading it.
    package init(_ folder: DataDirectory, clock: any BootClock = SystemClock()) {
        self.folder = folder
        self.clock = clock
    }

    /// The path of the folder.
    package var path: String { folder.resolve(DataFiles.secrets) }

    /// Stores a secret, and replaces one with this name.
    ///
    /// - Returns: Whether there was one.
    package func set(_ name: PlainName, to value: Secret.Value) async throws(HostError) -> Bool {
        try folder.create()
        if mkdir(path, 0o700) == 0 { SystemCall.syncDirectory(of: path) }
        let lock = try await lockedFolder()
        defer { withExtendedLifetime(lock) {} }
        let file = file(name)
        let old = OverwrittenFile(file)
        if old == nil {
            guard try list().entries.count < Self.limit else {
                throw HostError(
                    .failure,
                    "there are \(Self.limit) secrets already; remove one: "
                        + "`pulsegate secret remove NAME`")
            }
        }
        try TextFile.replace(file, draft: "\(path)/.\(name).new", with: value.text + "\n")
        // Only now: a failed call keeps the old secret.
        old?.overwrite()
        return old != nil
    }

    /// Removes a secret.
    ///
    /// - Returns: Whether there was one.
    package func remove(_ name: PlainName) async throws(HostError) -> Bool {
        if folder.isOfAnotherUser { throw folder.othersFiles }
        guard Folder.exists(path) else { return false }
        try folder.becomeOwner()
        let lock = try await lockedFolder()
        defer { withExtendedLifetime(lock) {} }
        guard Folder.exists(file(name)) else { return false }
        OverwrittenFile(file(name))?.overwrite()
        guard unlink(file(name)) == 0 else { throw .system("remove", file(name), errno: errno) }
        SystemCall.syncDirectory(of: file(name))
        return true
    }

    /// The stored secrets by name, and a note about each file that is none.
    package func list() throws(HostError) -> (entries: [Entry], notes: [String]) {
        if folder.isOfAnotherUser { throw folder.othersFiles }
        var entries: [Entry] = []
        var notes: [String] = []
        for file in try Folder.names(in: path) {
            var status = stat()
            // It may have been removed since; a draft is left by a crash.
            guard lstat("\(path)/\(file)", &status) == 0 else { continue }
            guard let name = PlainName(file), status.st_mode & S_IFMT == S_IFREG else {
                notes.append("\(path)/\(file) is not a secret; remove it")
                continue
            }
            if status.st_mode & 0o077 != 0 {
                notes.append(
                    "\(path)/\(file) is accessible to other users and is not used; "
                        + "set it again: `pulsegate secret set \(name)`")
            }
            entries.append(Entry(name: name, time: Instant(of: status.st_mtim)))
        }
        return (entries, notes)
    }

    private func file(_ name: PlainName) -> String { "\(path)/\(name)" }

    /// Locks the folder, so that two commands do not write the same file.
    private func lockedFolder() async throws(HostError) -> FileLock {
        let lock = try await Folder.lock(path, clock: clock, follows: false)
        var status = stat()
        guard fstat(lock.descriptor, &status) == 0 else {
            throw .system("read", path, errno: errno)
        }
        guard status.st_uid == geteuid() else {
            throw HostError(
                .failure, "\(path) belongs to another user; run this command as that user")
        }
        guard status.st_mode & 0o077 == 0 || fchmod(lock.descriptor, 0o700) == 0 else {
            throw .system("protect", path, errno: errno)
        }
        return lock
    }
}

/// An old file whose content is overwritten before it is gone.
///
/// A file system that writes elsewhere, or a disk that moves blocks, may still keep it.
private final class OverwrittenFile {
    private let descriptor: Int32

    /// Opens a file; nil when there is none, or when it has other names and so belongs to somebody else.
    init?(_ path: String) {
        descriptor = open(path, O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        var status = stat()
        guard descriptor >= 0, fstat(descriptor, &status) == 0,
            status.st_mode & S_IFMT == S_IFREG, status.st_nlink == 1
        else { return nil }
    }

    // It also runs when the initializer returns nil.
    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    /// Overwrites the content with zeros; a failure is not reported, because the file is removed anyway.
    func overwrite() {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return }
        let length = min(Int(status.st_size), 2 * Secret.lengthLimit)
        try? OutputDescriptor(descriptor: descriptor).write([UInt8](repeating: 0, count: length))
        fsync(descriptor)
    }
}
