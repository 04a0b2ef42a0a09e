import Glibc
import Platform

/// Space of the file system that the log leaves to the sinks when nothing else is left.
///
/// A sink that writes to the same file system needs space to store what waits, and only then can the
/// log remove it. No segment is made without the reserve, so new records are not accepted before the
/// sinks have had the space.
struct LogReserve {
    /// The names of which the first one is used that is no folder.
    private static let names = ["reserve"] + (2...9).map { "reserve-\($0)" }

    let size: Int
    private let name: String
    private(set) var isAllocated = false

    /// Describes a reserve of this size in bytes, which an earlier run may have allocated.
    init(size: Int, in folder: LogFolder) {
        self.size = size
        name = Self.names.first { Self.status(of: $0, in: folder)?.isFolder != true } ?? "reserve"
        let status = Self.status(of: name, in: folder)
        isAllocated = status.map { $0.isFile && $0.allocatedBytes >= size } ?? false
    }

    private struct Status {
        let isFile: Bool
        let isFolder: Bool
        let allocatedBytes: Int
    }

    private static func status(of name: String, in folder: LogFolder) -> Status? {
        var status = stat()
        guard fstatat(folder.descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0
        else { return nil }
        let kind = status.st_mode & S_IFMT
        return Status(
            isFile: kind == S_IFREG, isFolder: kind == S_IFDIR,
            allocatedBytes: Int(status.st_blocks) * 512)
    }

    /// Allocates the reserve, unless it is.
    mutating func allocate(in folder: LogFolder) throws(LogError) {
        guard !isAllocated, size > 0 else { return }
        folder.remove(name)
        _ = try SegmentFile.create(name, in: folder, size: size)
        isAllocated = true
    }

    /// Gives the space to others.
    mutating func release(in folder: LogFolder) {
        folder.remove(name)
        isAllocated = false
    }
}
