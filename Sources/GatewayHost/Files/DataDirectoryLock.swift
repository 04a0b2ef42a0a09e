import GatewayCore
import Glibc
package import Platform
import Synchronization

/// Shows that one gateway uses a data directory.
///
/// It ends with the process, whatever ends that. Its file is written only when it is the folder's own:
/// what a link leads to is somebody's file.
package final class DataDirectoryLock: Sendable {
    /// So often somebody may remove the file while it is being locked.
    private static let tries = 10

    private let folder: DataDirectory
    private let lock: Mutex<FileLock>

    /// Takes the lock, or says which process has it.
    package convenience init(_ folder: DataDirectory) throws(HostError) {
        self.init(folder, try Self.take(folder))
    }

    private init(_ folder: DataDirectory, _ lock: FileLock) {
        self.folder = folder
        self.lock = Mutex(lock)
    }

    /// Takes the lock as soon as nobody else has it; nil when somebody has it until the deadline, or the
    /// task is cancelled.
    package static func wait(
        for folder: DataDirectory, until deadline: BootInstant, on clock: any BootClock
    ) async throws(HostError) -> DataDirectoryLock? {
        for _ in 0..<tries {
            let lock = try open(folder)
            guard await lock.lock(until: deadline, on: clock) else { return nil }
            // Who had it may have removed the file, or the whole folder.
            guard isIn(folder, lock.descriptor) else { continue }
            writeOwner(to: lock.descriptor)
            return DataDirectoryLock(folder, lock)
        }
        return nil
    }

    /// Takes the lock anew when the folder or the lock's file was removed: without a name it keeps
    /// nobody away.
    package func keep() throws(HostError) {
        try lock.withLock { held throws(HostError) in
            guard !Self.isIn(folder, held.descriptor) else { return }
            try folder.create()
            held = try Self.take(folder)
        }
    }

    /// Tells whether a gateway uses the folder, as ` (process 1234)`; nil when none does.
    package static func owner(of folder: DataDirectory) -> String? {
        let flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC
        let opened = Glibc.open(folder.resolve(DataFiles.lock), flags)
        guard opened >= 0 else { return nil }
        defer { close(opened) }
        return FileLock.isLocked(opened) ? owner(opened) : nil
    }

    /// Opens the file and locks it, again when somebody has removed it in between.
    private static func take(_ folder: DataDirectory) throws(HostError) -> FileLock {
        for _ in 1..<tries {
            let lock = try takeOnce(folder)
            if isIn(folder, lock.descriptor) { return lock }
        }
        return try takeOnce(folder)
    }

    private static func takeOnce(_ folder: DataDirectory) throws(HostError) -> FileLock {
        let lock = try open(folder)
        guard lock.tryLock() else {
            throw HostError(
                .failure,
                "the data directory \(folder.path) is in use by a running gateway"
                    + owner(lock.descriptor))
        }
        writeOwner(to: lock.descriptor)
        return lock
    }

    /// Opens the file, which is made when there is none.
    private static func open(_ folder: DataDirectory) throws(HostError) -> FileLock {
        let path = folder.resolve(DataFiles.lock)
        let flags = O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC
        let opened = Glibc.open(path, flags, 0o600)
        let code = errno
        guard opened >= 0 else {
            switch code {
            case ELOOP: throw foreign(path, "a link")
            case EISDIR, ENXIO: throw foreign(path, "not a file")
            default: throw DataDirectory.unusable(folder.path, code)
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

    private static func foreign(_ path: String, _ what: String) -> HostError {
        HostError(
            .failure,
            "the lock \(path) is \(what), which is left as it is; remove it when no gateway uses the "
                + "folder, and start again")
    }

    /// What shows that a file is not the lock of this user's gateway; nil when it may be.
    private static func flaw(of descriptor: Int32) -> String? {
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            return "not a file"
        }
        if status.st_nlink > 1 { return "a file that has another name, too" }
        return status.st_uid == geteuid() ? nil : "the file of another user"
    }

    /// Whether the file that is open is the folder's lock.
    private static func isIn(_ folder: DataDirectory, _ descriptor: Int32) -> Bool {
        var (open, named) = (stat(), stat())
        return fstat(descriptor, &open) == 0 && lstat(folder.resolve(DataFiles.lock), &named) == 0
            && open.st_dev == named.st_dev && open.st_ino == named.st_ino
    }

    private static func owner(_ descriptor: Int32) -> String {
        var bytes = [UInt8](repeating: 0, count: 16)
        let count = pread(descriptor, &bytes, bytes.count, 0)
        let digits = String(decoding: bytes.prefix(max(count, 0)), as: UTF8.self)
            .prefix { $0.isNumber }
        return digits.isEmpty ? "" : " (process \(digits))"
    }
}
