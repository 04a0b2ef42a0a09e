package import GatewayHost
import Glibc
package import SQLiteStore

extension ImportedFile {
    /// Names the file at a path, which may be a symbolic link.
    package init(at path: String) throws(HostError) {
        guard let resolved = realpath(path, nil) else { throw .system("read", path, errno: errno) }
        defer { free(resolved) }
        self.init(path: String(cString: resolved))
    }
}
