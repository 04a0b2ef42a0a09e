import GatewayCore
import Glibc
import Platform

/// The file of records that the server rejected, one JSON object per line.
///
/// At its size limit it is renamed, replacing an older file, and a new one is created. Every call
/// blocks.
struct RejectFile {
    /// The reason for a failed write.
    struct Failure: Error, CustomStringConvertible {
        let path: String
        let reason: String
        var remedy = "check that this user can write the file and that the disk has free space"

        var description: String { "\(path): \(reason); \(remedy)" }
    }

    private static let moveAwayRemedy = "move it away"

    /// The size in bytes at which the file is renamed.
    static let defaultLimit: Int64 = 16 << 20

    let path: String
    /// Whether writes are synced to survive a power loss.
    let isSynced: Bool
    var limit = Self.defaultLimit

    /// The path of the previous file.
    var olderPath: String { "\(path).1" }

    /// Appends all lines, or none.
    ///
    /// - Returns: Whether an older file was replaced and its records lost.
    func append(_ lines: [UInt8]) throws(Failure) -> Bool {
        let descriptor = try openFile()
        defer { close(descriptor) }
        let size = try size(of: descriptor)
        guard size > 0, size + Int64(lines.count) > limit else {
            try write(lines, to: descriptor, size: size)
            return false
        }
        let isReplacing = access(olderPath, F_OK) == 0
        guard rename(path, olderPath) == 0 else { throw failure("rename", errno) }
        let next = try openFile()
        defer { close(next) }
        try write(lines, to: next, size: 0)
        return isReplacing
    }

    private func openFile() throws(Failure) -> Int32 {
        let flags = O_RDWR | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC
        let descriptor = open(path, flags, 0o600)
        let code = errno
        guard descriptor >= 0 else {
            switch code {
            case ELOOP:
                throw Failure(path: path, reason: "is a symbolic link", remedy: Self.moveAwayRemedy)
            case EISDIR, ENXIO:
                throw Failure(
                    path: path, reason: "is not a regular file", remedy: Self.moveAwayRemedy)
            default: throw failure("open", code)
            }
        }
        return descriptor
    }

    private func size(of descriptor: Int32) throws(Failure) -> Int64 {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw failure("fstat", errno) }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw Failure(path: path, reason: "is not a regular file", remedy: Self.moveAwayRemedy)
        }
        // It holds health values. On a file system without modes there are none to set.
        if status.st_mode & 0o077 != 0 { fchmod(descriptor, 0o600) }
        return Int64(status.st_size)
    }

    /// Writes the lines; a partial write is undone, so that it can be retried.
    private func write(
        _ lines: [UInt8], to descriptor: Int32, size: Int64
    ) throws(Failure) {
        var bytes = lines
        // Terminate a line that was cut off by a crash.
        if size > 0, lastByte(of: descriptor, size: size) != UInt8(ascii: "\n") {
            bytes.insert(UInt8(ascii: "\n"), at: 0)
        }
        do throws(OutputDescriptor.Failure) {
            try OutputDescriptor(descriptor: descriptor).write(bytes)
        } catch {
            _ = ftruncate(descriptor, off_t(size))
            throw failure("write", error.code)
        }
        guard isSynced else { return }
        guard fsync(descriptor) == 0 else {
            let code = errno
            _ = ftruncate(descriptor, off_t(size))
            throw failure("fsync", code)
        }
        SystemCall.syncDirectory(of: path)
    }

    private func lastByte(of descriptor: Int32, size: Int64) -> UInt8? {
        var byte: UInt8 = 0
        let count = SystemCall.repeatWhileInterrupted {
            pread(descriptor, &byte, 1, off_t(size - 1))
        }
        return count == 1 ? byte : nil
    }

    private func failure(_ operation: String, _ code: Int32) -> Failure {
        Failure(path: path, reason: "\(operation): \(SystemCall.message(of: code))")
    }
}
