import Glibc

/// The device and inode number of a file: tells whether two paths are the same file, and whether a
/// file was moved or replaced.
package struct FileIdentity: Equatable, Sendable {
    private let device: dev_t
    private let number: ino_t

    /// Reads the identity of the file at a path, following symbolic links; nil when there is none.
    package init?(path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        device = status.st_dev
        number = status.st_ino
    }

    /// Reads the identity of an open file; nil when there is none.
    package init?(descriptor: Int32) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return nil }
        device = status.st_dev
        number = status.st_ino
    }
}
