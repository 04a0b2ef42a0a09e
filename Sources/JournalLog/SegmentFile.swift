import CJournalLog
import Glibc
import Platform

/// The file of a segment.
final class SegmentFile {
    let path: String
    private let descriptor: Int32
    private let identity: FileIdentity?

    private init(path: String, descriptor: Int32) {
        self.path = path
        self.descriptor = descriptor
        identity = FileIdentity(descriptor: descriptor)
    }

    deinit { close(descriptor) }

    /// Creates a file whose blocks are allocated.
    ///
    /// - Throws: ``LogError``; then there is no file.
    static func create(
        _ name: String, in folder: LogFolder, size: Int
    ) throws(LogError) -> SegmentFile {
        let flags = O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
        let descriptor = openat(folder.descriptor, name, flags, 0o600)
        let path = folder.path(of: name)
        guard descriptor >= 0 else { throw LogError(path: path, problem: .system("open", errno)) }
        let file = SegmentFile(path: path, descriptor: descriptor)
        do throws(LogError) { try file.allocate(size) } catch {
            folder.remove(name)
            throw error
        }
        return file
    }

    /// Opens a file; nil when there is none.
    static func open(
        _ name: String, in folder: LogFolder, forWriting: Bool = false
    ) throws(LogError) -> SegmentFile? {
        let flags = (forWriting ? O_RDWR : O_RDONLY) | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC
        let descriptor = openat(folder.descriptor, name, flags)
        let code = errno
        let path = folder.path(of: name)
        if descriptor < 0, code == ENOENT { return nil }
        guard descriptor >= 0 else { throw LogError(path: path, problem: .system("open", code)) }
        let file = SegmentFile(path: path, descriptor: descriptor)
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw LogError(path: path, problem: .isNotAFolder)
        }
        return file
    }

    private func allocate(_ size: Int) throws(LogError) {
        if cjournallog_allocate(descriptor, Int64(size)) == 0 { return }
        let code = errno
        guard code == EOPNOTSUPP else {
            throw LogError(path: path, problem: .system("fallocate", code))
        }
        // Without it a full file system is only noticed when it is written to.
        guard ftruncate(descriptor, off_t(size)) == 0 else {
            throw LogError(path: path, problem: .system("ftruncate", errno))
        }
    }

    /// Whether the file with this name at the path of a folder is this one.
    func isAt(_ name: String, in folder: LogFolder) -> Bool {
        FileIdentity(path: folder.path(of: name)) == identity
    }

    /// The size in bytes.
    var size: Int {
        var status = stat()
        return fstat(descriptor, &status) == 0 ? Int(status.st_size) : 0
    }

    /// Writes parts one after the other at an offset with one call, or throws when a part of them may
    /// be written.
    ///
    /// - Returns: The number of bytes.
    func write(_ parts: [[UInt8]], at offset: Int) throws(LogError) -> Int {
        let size = parts.reduce(0) { $0 + $1.count }
        let count = writeAtOnce(parts, at: offset)
        guard count >= 0 else {
            throw LogError(path: path, problem: .system("write", errno))
        }
        // What is missing says why it is.
        if count < size { try write(Array(parts.joined().dropFirst(count)), at: offset + count) }
        return size
    }

    private func writeAtOnce(_ parts: [[UInt8]], at offset: Int) -> Int {
        func gather(_ rest: ArraySlice<[UInt8]>, _ vectors: [iovec]) -> Int {
            guard let part = rest.first else {
                return SystemCall.repeatWhileInterrupted {
                    pwritev(descriptor, vectors, Int32(vectors.count), off_t(offset))
                }
            }
            return part.withUnsafeBytes { bytes in
                // The kernel only reads.
                let base = UnsafeMutableRawPointer(mutating: bytes.baseAddress)
                let vector = iovec(iov_base: base, iov_len: bytes.count)
                return gather(rest.dropFirst(), vectors + [vector])
            }
        }
        return gather(parts[...], [])
    }

    /// Writes all bytes at an offset, or throws when a part of them may be written.
    func write(_ bytes: [UInt8], at offset: Int) throws(LogError) {
        var done = 0
        while done < bytes.count {
            let count = bytes.withUnsafeBytes { buffer in
                let rest = UnsafeRawBufferPointer(rebasing: buffer[done...])
                return SystemCall.repeatWhileInterrupted {
                    pwrite(descriptor, rest.baseAddress, rest.count, off_t(offset + done))
                }
            }
            guard count > 0 else {
                throw LogError(path: path, problem: .system("write", count < 0 ? errno : ENOSPC))
            }
            done += count
        }
    }

    /// Reads up to `count` bytes at an offset; fewer at the end of the file.
    func read(_ count: Int, at offset: Int) throws(LogError) -> [UInt8] {
        var code: Int32 = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: max(count, 0)) { buffer, filled in
            while filled < buffer.count {
                let result = SystemCall.repeatWhileInterrupted {
                    pread(
                        descriptor, buffer.baseAddress.map { $0 + filled }, buffer.count - filled,
                        off_t(offset + filled))
                }
                if result < 0 { code = errno }
                guard result > 0 else { return }
                filled += result
            }
        }
        guard code == 0 else { throw LogError(path: path, problem: .system("read", code)) }
        return bytes
    }

    /// Reads as ``read(_:at:)`` does; blocks that the disk cannot read have bytes that are no frame.
    func readReadable(_ count: Int, at offset: Int) throws(LogError) -> [UInt8] {
        do throws(LogError) { return try read(count, at: offset) } catch {
            guard error.problem == .system("read", EIO) else { throw error }
        }
        let end = offset + min(count, max(size - offset, 0))
        var bytes: [UInt8] = []
        while offset + bytes.count < end {
            let start = offset + bytes.count
            let length = min(Self.blockBytes - start % Self.blockBytes, end - start)
            do throws(LogError) { bytes += try read(length, at: start) } catch {
                bytes += repeatElement(Self.unreadableByte, count: length)
            }
            // A file that was cut meanwhile.
            if offset + bytes.count <= start { break }
        }
        return bytes
    }

    private static let blockBytes = 4_096
    /// Not zero: bytes that were never written are no damage.
    private static let unreadableByte: UInt8 = 0xFF

    /// Writes the content to the disk, with the size and the blocks that are needed to read it.
    func sync() throws(LogError) {
        guard fdatasync(descriptor) == 0 else {
            throw LogError(path: path, problem: .system("fdatasync", errno))
        }
    }

    /// Returns the blocks behind an offset to the file system; a failure changes nothing.
    func truncate(to size: Int) { _ = ftruncate(descriptor, off_t(size)) }
}
