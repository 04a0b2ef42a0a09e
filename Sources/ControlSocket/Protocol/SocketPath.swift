import CSocket
import Glibc

/// Where a Unix socket is: a name in a folder, however long the folder's path.
///
/// The address of a socket holds 107 bytes (unix(7)). A longer path is reached through an open
/// descriptor of its folder.
package final class SocketPath: Sendable {
    /// The longest path that fits into an address, without the zero at its end.
    package static let lengthLimit = 107

    private let folder: Int32
    private let name: String
    private let text: String

    /// Opens the folder.
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

    /// Removes the socket, if there is one; anything else of that name stays.
    package func removeSocket() {
        var status = stat()
        guard fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0,
            status.st_mode & S_IFMT == S_IFSOCK
        else { return }
        unlinkat(folder, name, 0)
    }

    /// Sets the times of the socket's file, which those who watch its folder notice.
    package func touch() {
        utimensat(folder, name, nil, AT_SYMLINK_NOFOLLOW)
    }

    /// Calls a function with the socket's address.
    func withAddress<Result>(
        _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
    ) -> Result {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        // It fits: `init` sees to that, and the rest of the address stays zero.
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: text.utf8) }
        return withUnsafePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                body(address, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }
}
