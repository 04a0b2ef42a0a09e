import Glibc

/// A file of lines that only grows, which only this user can read.
///
/// It is opened for each append, so that another program may rename or remove it in between. Every call
/// blocks: make it on a dedicated queue.
public struct AppendedFile: Sendable {
    /// The path of the file, which is created when it is missing.
    public let path: String
    /// Whether appended lines survive a loss of power, and not only a crash.
    public let waitsForDisk: Bool

    /// Makes a description of the file, without opening it.
    public init(path: String, waitsForDisk: Bool) {
        self.path = path
        self.waitsForDisk = waitsForDisk
    }

    /// Appends lines, each with its newline: all of them, or none.
    ///
    /// A line that a crash has cut off gets its newline first.
    /// - Parameter limit: The size in bytes that the file must not exceed, unless it is empty.
    /// - Returns: False when it would exceed the limit; nothing is appended then.
    @discardableResult
    public func append(
        _ lines: [UInt8], limit: Int64 = .max
    ) throws(Failure) -> Bool {
        guard !lines.isEmpty else { return true }
        let descriptor = try openFile()
        defer { close(descriptor) }
        let size = try size(of: descriptor)
        guard size == 0 || Int64(lines.count) <= limit - size else { return false }
        var bytes = lines
        if size > 0, lastByte(of: descriptor, size: size) != UInt8(ascii: "\n") {
            bytes.insert(UInt8(ascii: "\n"), at: 0)
        }
        do throws(Failure) { try write(bytes, to: descriptor) } catch {
            // What was written of them must not be there twice after the next attempt.
            _ = ftruncate(descriptor, off_t(size))
            throw error
        }
        return true
    }

    private func openFile() throws(Failure) -> Int32 {
        let flags = O_RDWR | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC
        let descriptor = open(path, flags, 0o600)
        let code = errno
        guard descriptor >= 0 else {
            switch code {
            case ELOOP: throw Failure(path: path, problem: .isLink)
            case EISDIR, ENXIO: throw Failure(path: path, problem: .isNotRegular)
            default: throw failure("open", code)
            }
        }
        return descriptor
    }

    private func size(of descriptor: Int32) throws(Failure) -> Int64 {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw failure("fstat", errno) }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw Failure(path: path, problem: .isNotRegular)
        }
        // On a file system without modes there are none to set.
        if status.st_mode & 0o077 != 0 { fchmod(descriptor, 0o600) }
        return Int64(status.st_size)
    }

    private func write(_ bytes: [UInt8], to descriptor: Int32) throws(Failure) {
        do throws(OutputDescriptor.Failure) {
            try OutputDescriptor(descriptor: descriptor).write(bytes)
        } catch {
            throw failure("write", error.code)
        }
        guard waitsForDisk else { return }
        guard fsync(descriptor) == 0 else { throw failure("fsync", errno) }
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
        Failure(path: path, problem: .system(operation, code))
    }
}

extension AppendedFile {
    /// The reason why nothing was appended.
    public struct Failure: Error, Equatable, CustomStringConvertible {
        /// What is wrong with the file.
        public enum Problem: Equatable, Sendable {
            /// It is a symbolic link, which could lead anywhere.
            case isLink
            /// It is a directory, a pipe or a device.
            case isNotRegular
            /// A system call failed, with its `errno`.
            case system(String, Int32)
        }

        /// The path of the file.
        public let path: String
        /// What is wrong with it.
        public let problem: Problem

        /// Makes the reason.
        public init(path: String, problem: Problem) {
            self.path = path
            self.problem = problem
        }

        /// Whether time may mend it: a full disk, an error of the disk, too many open files.
        public var isTemporary: Bool {
            guard case .system(_, let code) = problem else { return false }
            return [ENOSPC, EDQUOT, EIO, EMFILE, ENFILE].contains(code)
        }

        /// Whether there is no space left.
        public var isStorageFull: Bool {
            guard case .system(_, let code) = problem else { return false }
            return [ENOSPC, EDQUOT].contains(code)
        }

        /// The reason, without what was to be appended.
        public var reason: String {
            switch problem {
            case .isLink: "is a symbolic link"
            case .isNotRegular: "is not a regular file"
            case .system(let operation, let code):
                "\(operation): \(SystemCall.message(of: code))"
            }
        }

        /// The path and the reason.
        public var description: String { "\(path): \(reason)" }
    }
}
