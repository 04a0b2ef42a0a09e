import Glibc
import Platform

/// Space of the file system that the log leaves to the sinks when nothing else is left.
///
/// A sink that writes to the same file system needs space to store what waits, and only then can the
/// log remove it. No segment is made without the reserve, so new records are not accepted before the
/// sinks have had the space.
struct LogReserve {
    private static let name = "reserve"

    let size: Int
    private(set) var isAllocated = false

    /// Describes a reserve of this size in bytes, which an earlier run may have allocated.
    init(size: Int, in folder: LogFolder) {
        self.size = size
        var status = stat()
        isAllocated =
            fstatat(folder.descriptor, Self.name, &status, AT_SYMLINK_NOFOLLOW) == 0
            && status.st_mode & S_IFMT == S_IFREG && Int(status.st_blocks) * 512 >= size
    }

    /// Allocates the reserve, unless it is.
    mutating func allocate(in folder: LogFolder) throws(LogError) {
        guard !isAllocated, size > 0 else { return }
        folder.remove(Self.name)
        _ = try SegmentFile.create(Self.name, in: folder, size: size)
        isAllocated = true
    }

    /// Gives the space to others.
    mutating func release(in folder: LogFolder) {
        folder.remove(Self.name)
        isAllocated = false
    }
}
