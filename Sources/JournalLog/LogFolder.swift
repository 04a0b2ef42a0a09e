import Glibc
import Platform

/// The folder of a log, held open: its segments are found also after the folder was moved.
final class LogFolder {
    /// The path at which it was opened.
    let path: String
    let descriptor: Int32

    /// Opens a folder, and makes it when it is missing.
    init(path: String, creating: Bool = true) throws(LogError) {
        self.path = path
        if creating, mkdir(path, 0o700) != 0, errno != EEXIST {
            throw LogError(path: path, problem: .system("mkdir", errno))
        }
        descriptor = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor < 0 else {
            // A folder that a run made just before the power failed may have no entry yet.
            if creating { SystemCall.syncDirectory(of: path) }
            return
        }
        let code = errno
        throw LogError(
            path: path,
            problem: [ENOTDIR, ELOOP].contains(code) ? .isNotAFolder : .system("open", code))
    }

    deinit { close(descriptor) }

    /// The path of a file in the folder.
    func path(of name: String) -> String { "\(path)/\(name)" }

    /// The name of the segment with a number.
    static func name(of segment: UInt64) -> String {
        let digits = String(segment)
        return String(repeating: "0", count: max(12 - digits.count, 0)) + digits + ".segment"
    }

    /// The highest number of a segment.
    static let lastNumber: UInt64 = 999_999_999_999

    /// The numbers of the segments by their names, ascending; what is no file is not listed.
    func segments() throws(LogError) -> [UInt64] {
        try names().filter { number in
            var status = stat()
            return fstatat(descriptor, Self.name(of: number), &status, AT_SYMLINK_NOFOLLOW) == 0
                && status.st_mode & S_IFMT == S_IFREG
        }
    }

    /// The highest number in a name, of whatever kind the file is; 0 without one.
    func lastName() throws(LogError) -> UInt64 { try names().last ?? 0 }

    private func names() throws(LogError) -> [UInt64] {
        // fdopendir takes the descriptor over.
        let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
        guard copy >= 0, let folder = fdopendir(copy) else {
            let code = errno
            if copy >= 0 { close(copy) }
            throw LogError(path: path, problem: .system("opendir", code))
        }
        defer { closedir(folder) }
        rewinddir(folder)
        var numbers: [UInt64] = []
        while let entry = readdir(folder) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            guard name.hasSuffix(".segment"), let number = UInt64(name.dropLast(8)),
                Self.name(of: number) == name, number < Self.lastNumber
            else { continue }
            numbers.append(number)
        }
        return numbers.sorted()
    }

    /// Removes a file; one that is missing is no error.
    func remove(_ name: String) { unlinkat(descriptor, name, 0) }

    /// Moves a file from this folder to another one; false when it is not there.
    func move(_ name: String, to folder: LogFolder) -> Bool {
        renameat(descriptor, name, folder.descriptor, name) == 0
    }

    /// Writes the entries of the folder to the disk; some file systems cannot, which is no error.
    func sync() { fsync(descriptor) }

    /// The size of the file system in bytes; 0 when it is unknown.
    var fileSystemSize: Int64 {
        var status = statvfs()
        guard fstatvfs(descriptor, &status) == 0 else { return 0 }
        return Int64(clamping: status.f_blocks).multipliedReportingOverflow(
            by: Int64(clamping: status.f_frsize)
        ).partialValue
    }
}
