import CSocket
import Glibc

/// The path of a Unix socket, of any length.
///
/// A socket address holds up to 107 bytes (unix(7)). A longer path is addressed through an open
/// descriptor of its directory.
package final class SocketPath: Sendable {
    /// The maximum length of a path in an address, without the terminating zero.
    package static let lengthLimit = 107

    private let folder: Int32
    private let name: String
    private let text: String

    /// Opens the directory.
    package init(folder path: String, name: String) throws(LocalSocket.Failure) {
        let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw LocalSocket.Failure(operation: "open", code: errno) }
        folder = descriptor
        self.name = name
        let whole = "\(path)/\(name)"
        text =
            whole.utf8.count <= Self.lengthLimit ? whole : "/proc/self/fd/\(descriptor)/\(name)"
    }

    deinit {
        close(folder)
    }

    /// Removes the socket, or the link to one; a file of another kind stays.
    package func removeSocket() {
        var status = stat()
        guard fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0,
            [S_IFSOCK, S_IFLNK].contains(status.st_mode & S_IFMT)
        else { return }
        unlinkat(folder, name, 0)
    }

    /// Makes a link to the socket of another folder here, in place of a stale one.
    package func link(to target: String) throws(LocalSocket.Failure) {
        removeSocket()
        guard symlinkat(target, folder, name) == 0 else {
            throw LocalSocket.Failure(operation: "symlink", code: errno)
        }
    }

    /// Sets the mode of the socket file; returns whether that succeeded.
    func setMode(_ mode: UInt32) -> Bool { fchmodat(folder, name, mode, 0) == 0 }

    /// Updates the timestamps of the socket file, which wakes watchers of its directory.
    package func touch() {
        utimensat(folder, name, nil, AT_SYMLINK_NOFOLLOW)
    }

    /// Calls a function with the socket address.
    func withAddress<Result>(
        _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
    ) -> Result {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        // `init` ensures that it fits; the rest of the address stays zero.
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: text.utf8) }
        return withUnsafePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                body(address, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }
}
