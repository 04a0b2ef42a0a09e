import GatewayCore
import Glibc
package import Platform
import Synchronization

/// The lock of a data directory: only one gateway uses it at a time.
///
/// The kernel releases the lock when the process ends. The lock file is never opened through a
/// link, so that no other file is overwritten.
package final class DataDirectoryLock: Sendable {
    /// How often to try again when the file is removed while it is being locked.
    private static let attempts = 10
    /// The second line of the file, after the number of the process.
    private static let stopping = "stopping"

    private let folder: DataDirectory
    private let lock: Mutex<FileLock>

    /// Acquires the lock.
    ///
    /// - Throws: ``HostError`` that names the process holding the lock.
    package convenience init(_ folder: DataDirectory) throws(HostError) {
        self.init(folder, try Self.acquire(folder))
    }

    private init(_ folder: DataDirectory, _ lock: FileLock) {
        self.folder = folder
        self.lock = Mutex(lock)
    }

    /// Waits until the lock is free and acquires it; nil at the deadline or when the task is
    /// cancelled.
    package static func wait(
        for folder: DataDirectory, until deadline: BootInstant, on clock: any BootClock
    ) async throws(HostError) -> DataDirectoryLock? {
        for _ in 0..<attempts {
            let lock = try open(folder)
            guard await lock.lock(until: deadline, on: clock) else { return nil }
            // The previous owner may have removed the file or the whole directory.
            guard isIn(folder, lock.descriptor) else { continue }
            writeOwner(to: lock.descriptor)
            return DataDirectoryLock(folder, lock)
        }
        return nil
    }

    /// Acquires the lock again if the directory or the lock file was removed: an unlinked file does
    /// not exclude other gateways.
    package func reacquireIfRemoved() throws(HostError) {
        try lock.withLock { held throws(HostError) in
            guard !Self.isIn(folder, held.descriptor) else { return }
            try folder.create()
            held = try Self.acquire(folder)
        }
    }

    /// Returns the gateway that uses the directory, as ` (process 1234)`; nil if there is none.
    package static func owner(of folder: DataDirectory) -> String? {
        content(folder).map(owner)
    }

    /// The text of the lock file; nil if no gateway uses the directory.
    private static func content(_ folder: DataDirectory) -> String? {
        let flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC
        let opened = Glibc.open(folder.resolve(DataFiles.lock), flags)
        guard opened >= 0 else { return nil }
        defer { close(opened) }
        return FileLock.isLocked(opened) ? content(opened) : nil
    }

    /// Notes that the gateway is stopping, for commands that find the directory locked.
    package func noteStopping() {
        lock.withLock { held in
            let line = Array("\(getpid())\n\(Self.stopping)\n".utf8)
            _ = pwrite(held.descriptor, line, line.count, 0)
        }
    }

    /// Whether the gateway that uses the directory is stopping.
    package static func isStopping(_ folder: DataDirectory) -> Bool {
        guard let text = content(folder) else { return false }
        return text.split(separator: "\n").dropFirst().first == stopping[...]
    }

    /// Opens and locks the file; tries again if the file was removed in between.
    private static func acquire(_ folder: DataDirectory) throws(HostError) -> FileLock {
        for _ in 1..<attempts {
            let lock = try acquireOnce(folder)
            if isIn(folder, lock.descriptor) { return lock }
        }
        return try acquireOnce(folder)
    }

    private static func acquireOnce(_ folder: DataDirectory) throws(HostError) -> FileLock {
        let lock = try open(folder)
        guard lock.tryLock() else {
            throw HostError(
                .failure,
                "the data directory \(folder.path) is in use by a running gateway"
                    + owner(content(lock.descriptor)))
        }
        writeOwner(to: lock.descriptor)
        return lock
    }

    /// Checks that the file can be the lock of this user's gateway, if it exists.
    package static func checkFile(in folder: DataDirectory) throws(HostError) {
        var status = stat()
        guard lstat(folder.resolve(DataFiles.lock), &status) == 0 else { return }
        _ = try open(folder, creating: 0)
    }

    /// Opens the file; creates it if needed.
    private static func open(
        _ folder: DataDirectory, creating: Int32 = O_CREAT
    ) throws(HostError) -> FileLock {
        if creating != 0 { try folder.becomeOwner() }
        let path = folder.resolve(DataFiles.lock)
        let flags = O_RDWR | creating | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC
        let opened = Glibc.open(path, flags, 0o600)
        let code = errno
        guard opened >= 0 else {
            switch code {
            case ELOOP: throw foreign(path, "is a symbolic link")
            case EISDIR, ENXIO: throw foreign(path, "is not a regular file")
            default: throw folder.unusable(code)
            }
        }
        let lock = FileLock(owning: opened, .openFileDescription)
        if let flaw = flaw(of: opened) { throw foreign(path, flaw) }
        return lock
    }

    private static func writeOwner(to descriptor: Int32) {
        ftruncate(descriptor, 0)
        let process = Array("\(getpid())\n".utf8)
        _ = pwrite(descriptor, process, process.count, 0)
    }

    private static func foreign(_ path: String, _ flaw: String) -> HostError {
        HostError(
            .failure,
            "the lock file \(path) \(flaw); remove it while no gateway uses the data directory")
    }

    /// Why a file cannot be the lock of this user's gateway; nil if it can.
    private static func flaw(of descriptor: Int32) -> String? {
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            return "is not a regular file"
        }
        if status.st_nlink > 1 { return "has more than one hard link" }
        return status.st_uid == geteuid() ? nil : "belongs to another user"
    }

    /// Whether the open file is still the lock file of the directory.
    private static func isIn(_ folder: DataDirectory, _ descriptor: Int32) -> Bool {
        var (open, named) = (stat(), stat())
        return fstat(descriptor, &open) == 0 && lstat(folder.resolve(DataFiles.lock), &named) == 0
            && open.st_dev == named.st_dev && open.st_ino == named.st_ino
    }

    private static func content(_ descriptor: Int32) -> String {
        var bytes = [UInt8](repeating: 0, count: 32)
        let count = pread(descriptor, &bytes, bytes.count, 0)
        return String(decoding: bytes.prefix(max(count, 0)), as: UTF8.self)
    }

    private static func owner(_ content: String) -> String {
        let digits = content.prefix { $0.isNumber }.prefix(16)
        return digits.isEmpty ? "" : " (process \(digits))"
    }
}
