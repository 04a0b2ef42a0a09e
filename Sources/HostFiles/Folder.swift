import GatewayCore
package import Glibc
package import HealthModel
import Platform

/// Reads, makes and removes folders.
package enum Folder {
    /// The absolute path of an existing folder.
    package static func resolved(_ path: String) throws(HostError) -> String {
        guard let resolved = realpath(path, nil) else {
            throw .system("use", path, errno: errno)
        }
        defer { free(resolved) }
        var status = stat()
        guard stat(resolved, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
            throw HostError(.failure, "cannot use \(path): it is not a folder")
        }
        return String(cString: resolved)
    }

    /// The names in a folder, sorted; none when it does not exist.
    package static func names(in folder: String) throws(HostError) -> [String] {
        guard let stream = opendir(folder) else {
            let code = errno
            if code == ENOENT { return [] }
            throw .system("read", folder, errno: code)
        }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names.sorted()
    }

    /// The text of a file that is no configuration; nil when it does not exist.
    package static func text(of path: String) throws(HostError) -> String? {
        do { return try TextFile.read(path) } catch { throw HostError(.failure, error.message) }
    }

    /// The absolute path without links, `.` and `..`; the part that does not exist stays as it is.
    package static func canonical(_ path: String) -> String {
        if let text = realpath(path.isEmpty ? "." : path, nil) {
            defer { free(text) }
            return String(cString: text)
        }
        let parts = path.split(separator: "/")
        // The working directory was removed.
        guard let name = parts.last, parts != ["."] else { return path }
        let root = path.hasPrefix("/") ? "/" : ""
        let parent = canonical(root + parts.dropLast().joined(separator: "/"))
        switch name {
        case ".": return parent
        case "..": return TextFile.folder(of: parent)
        default: return parent == "/" ? "/\(name)" : "\(parent)/\(name)"
        }
    }

    /// Whether there is a file, a folder or a link.
    package static func exists(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0
    }

    /// The timeout for the lock of a folder, in seconds; others hold it only for a write.
    private static let lockSeconds = 5.0

    /// Locks a folder while its files are replaced.
    static func lock(
        _ path: String, clock: any BootClock, follows: Bool = true
    ) async throws(HostError) -> FileLock {
        let flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC | (follows ? 0 : O_NOFOLLOW)
        let opened = open(path, flags)
        guard opened >= 0 else { throw .system("open", path, errno: errno) }
        let lock = FileLock(owning: opened, .flock)
        let deadline = clock.now().adding(seconds: lockSeconds)
        guard await lock.lock(until: deadline, on: clock) else {
            throw HostError(.failure, "\(path) is locked by another program; try again later")
        }
        return lock
    }

    /// Makes the folders of a path in an existing folder.
    package static func make(_ path: String, in base: String) throws(HostError) {
        var folder = base
        for part in path.split(separator: "/") {
            folder += "/\(part)"
            guard mkdir(folder, 0o777) == 0 || errno == EEXIST else {
                throw .system("create", folder, errno: errno)
            }
        }
    }

    /// Removes a temporary folder with everything in it.
    package static func remove(_ folder: String) {
        for name in (try? names(in: folder)) ?? [] {
            let path = "\(folder)/\(name)"
            if unlink(path) != 0 { remove(path) }
        }
        rmdir(folder)
    }
}

extension Instant {
    /// The time of a file.
    package init(of time: timespec) {
        self.init(
            nanosecondsSince1970: Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec))
    }
}
