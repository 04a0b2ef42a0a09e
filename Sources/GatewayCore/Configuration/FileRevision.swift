import Glibc

/// The revision of a file: another one after the file was replaced or changed.
package struct FileRevision: Hashable, Sendable {
    private let inode: UInt64
    private let seconds: Int
    private let nanoseconds: Int

    /// Reads the revision of a file; nil if there is none.
    package init?(of path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        inode = UInt64(status.st_ino)
        seconds = status.st_ctim.tv_sec
        nanoseconds = status.st_ctim.tv_nsec
    }
}
