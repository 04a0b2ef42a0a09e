import GatewayCore
import Glibc
import Synchronization

/// Shows that one gateway uses a data directory.
///
/// It ends with the process, whatever ends that. Its file is written only when it is the folder's own:
/// what a link leads to is somebody's file.
package final class DataDirectoryLock: Sendable {
    private let folder: DataDirectory
    private let descriptor: Mutex<Int32>

    /// How often the lock is tried, 10 ms apart: whoever only looks at it has it for a moment.
    private static let tries = 10

    /// Takes the lock, or says which process has it.
    package init(_ folder: DataDirectory) throws(HostError) {
        self.folder = folder
        descriptor = Mutex(try Self.take(folder))
    }

    deinit {
        close(descriptor.withLock { $0 })
    }

    /// Takes the lock anew when the folder or the lock's file was removed: without a name it keeps
    /// nobody away.
    package func keep() throws(HostError) {
        try descriptor.withLock { held throws(HostError) in
            guard !Self.isIn(folder, held) else { return }
            try folder.create()
            let new = try Self.take(folder)
            close(held)
            held = new
        }
    }

    /// Tells whether a gateway uses the folder, as ` (process 1234)`; nil when none does.
    package static func owner(of folder: DataDirectory) -> String? {
        let flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC
        let opened = open(folder.resolve(DataFiles.lock), flags)
        guard opened >= 0 else { return nil }
        defer { close(opened) }
        let isFree = flock(opened, LOCK_SH | LOCK_NB) == 0
        return isFree ? nil : owner(opened)
    }

    /// Opens the file and locks it, again when somebody has removed it in between.
    private static func take(_ folder: DataDirectory) throws(HostError) -> Int32 {
        for _ in 1..<tries {
            let opened = try takeOnce(folder)
            if isIn(folder, opened) { return opened }
            close(opened)
        }
        return try takeOnce(folder)
    }

    private static func takeOnce(_ folder: DataDirectory) throws(HostError) -> Int32 {
        let path = folder.resolve(DataFiles.lock)
        let flags = O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC
        let opened = open(path, flags, 0o600)
        let code = errno
        guard opened >= 0 else {
            switch code {
            case ELOOP: throw foreign(path, "a link")
            case EISDIR, ENXIO: throw foreign(path, "not a file")
            default: throw DataDirectory.unusable(folder.path, code)
            }
        }
        do throws(HostError) {
            if let flaw = flaw(of: opened) { throw foreign(path, flaw) }
            guard isTaken(opened) else {
                throw HostError(
                    .failure,
                    "the data directory \(folder.path) is in use by a running gateway\(owner(opened))"
                )
            }
        } catch {
            close(opened)
            throw error
        }
        ftruncate(opened, 0)
        let process = Array("\(getpid())\n".utf8)
        _ = pwrite(opened, process, process.count, 0)
        return opened
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

    private static func isTaken(_ descriptor: Int32) -> Bool {
        for attempt in 1...tries {
            if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return true }
            if attempt < tries { usleep(10_000) }
        }
        return false
    }

    private static func owner(_ descriptor: Int32) -> String {
        var bytes = [UInt8](repeating: 0, count: 16)
        let count = pread(descriptor, &bytes, bytes.count, 0)
        let digits = String(decoding: bytes.prefix(max(count, 0)), as: UTF8.self)
            .prefix { $0.isNumber }
        return digits.isEmpty ? "" : " (process \(digits))"
    }
}
