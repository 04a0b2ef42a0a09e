import CRename
import Glibc

/// Helpers for system calls.
public enum SystemCall {
    /// Repeats a call while a signal interrupts it (EINTR); `errno` is that of the last call.
    public static func repeatWhileInterrupted(_ call: () -> Int) -> Int {
        var result = call()
        while result < 0 && errno == EINTR { result = call() }
        return result
    }

    /// Reads the available bytes, up to `limit`.
    ///
    /// Without bytes, the code is 0 at the end of the input, else the `errno` of the failure.
    public static func read(_ descriptor: Int32, limit: Int) -> (bytes: [UInt8], code: Int32) {
        var code: Int32 = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
            let result = repeatWhileInterrupted {
                Glibc.read(descriptor, buffer.baseAddress, buffer.count)
            }
            code = result < 0 ? errno : 0
            count = max(result, 0)
        }
        return (bytes, code)
    }

    /// A path at which there is no file, folder or link: this one, or else with a number.
    public static func unusedPath(_ path: String) -> String {
        func isUnused(_ path: String) -> Bool {
            var status = stat()
            return lstat(path, &status) != 0
        }
        if isUnused(path) { return path }
        return (2...1_000).lazy.map { "\(path)-\($0)" }.first(where: isUnused) ?? path
    }

    /// Renames a file unless there is one with the new name; returns 0 or the `errno`, then `EEXIST`.
    package static func renameToUnused(_ source: String, _ target: String) -> Int32 {
        guard crename_to_unused(source, target) != 0 else { return 0 }
        guard [EINVAL, ENOSYS].contains(errno) else { return errno }
        // The file system cannot do it in one step; few have no hard links either.
        guard link(source, target) != 0 else {
            unlink(source)
            return 0
        }
        guard [EPERM, ENOSYS, EOPNOTSUPP].contains(errno) else { return errno }
        var status = stat()
        guard lstat(target, &status) != 0 else { return EEXIST }
        return rename(source, target) == 0 ? 0 : errno
    }

    /// The target of a symbolic link, as stored; nil when the path is not a symbolic link.
    public static func target(ofLink path: String) -> String? {
        var characters = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink(path, &characters, characters.count)
        guard count > 0 else { return nil }
        let bytes = characters.prefix(count).map(UInt8.init(bitPattern:))
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Syncs the directory of a file, so that a new or renamed file survives a power failure;
    /// errors are ignored, as some file systems do not support it.
    public static func syncDirectory(of path: String) {
        let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
        let descriptor = open(folder.isEmpty ? "/" : folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        fsync(descriptor)
        close(descriptor)
    }

    /// The memory of this process that is in RAM, in bytes; 0 when it is unknown.
    public static var residentBytes: Int64 {
        let descriptor = open("/proc/self/statm", O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return 0 }
        defer { close(descriptor) }
        let text = String(decoding: read(descriptor, limit: 256).bytes, as: UTF8.self)
        let fields = text.split(separator: " ")
        guard fields.count > 1, let pages = Int64(fields[1]) else { return 0 }
        return pages * Int64(sysconf(Int32(_SC_PAGESIZE)))
    }

    /// The system's message for an error number.
    public static func message(of code: Int32) -> String {
        // strerror is thread-safe since glibc 2.32 (strerror(3)).
        String(cString: strerror(code))
    }

    /// Ends the process with a message on standard error and status 1, where nothing could run any more.
    static func endProcess(_ message: String) -> Never {
        _ = "pulsegate: \(message)\n".withCString { write(STDERR_FILENO, $0, strlen($0)) }
        _exit(1)
    }
}
