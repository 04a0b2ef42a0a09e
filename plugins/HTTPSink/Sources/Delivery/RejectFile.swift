import GatewayCore
import Glibc
import Platform

/// The file that keeps what the server will never take, a JSON object a line.
///
/// It grows to a limit; then it is renamed, in the place of an older one, and a new one begins. Every
/// call blocks.
struct RejectFile {
    /// Why it could not be written.
    struct Failure: Error, CustomStringConvertible {
        let path: String
        let reason: String
        var remedy = "see that this user may write there and that the disk has room"

        var description: String { "\(path): \(reason); \(remedy)" }
    }

    private static let foreign = "move away what is there"

    /// A file that has come so far, in bytes, is renamed.
    static let defaultLimit: Int64 = 16 << 20

    let path: String
    /// Whether what was written survives the loss of power.
    let isSynced: Bool
    var limit = Self.defaultLimit

    /// The file that was before.
    var olderPath: String { "\(path).1" }

    /// Appends whole lines, or nothing.
    ///
    /// - Returns: Whether an older file was replaced, with what was in it.
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
            case ELOOP: throw Failure(path: path, reason: "it is a link", remedy: Self.foreign)
            case EISDIR, ENXIO:
                throw Failure(path: path, reason: "it is not a file", remedy: Self.foreign)
            default: throw failure("open", code)
            }
        }
        return descriptor
    }

    private func size(of descriptor: Int32) throws(Failure) -> Int64 {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw failure("fstat", errno) }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw Failure(path: path, reason: "it is not a file", remedy: Self.foreign)
        }
        // It holds health values. On a file system without modes there are none to set.
        if status.st_mode & 0o077 != 0 { fchmod(descriptor, 0o600) }
        return Int64(status.st_size)
    }

    /// What could be written only in part is taken back, so that it can be written again.
    private func write(
        _ lines: [UInt8], to descriptor: Int32, size: Int64
    ) throws(Failure) {
        var bytes = lines
        // A line that was cut by the end of a process is ended first.
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
