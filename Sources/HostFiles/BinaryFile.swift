import Glibc
import Platform

/// Reads binary files.
package enum BinaryFile {
    private static let readLimit = 1 << 20

    /// Reads the bytes of a file.
    ///
    /// - Throws: ``HostError`` if it is not a regular file, cannot be read, or exceeds the limit.
    package static func read(_ path: String, limit: Int) throws(HostError) -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw .system("read", path, errno: errno) }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw HostError(.failure, "cannot read \(path): not a regular file")
        }
        var bytes: [UInt8] = []
        while true {
            let (part, code) = SystemCall.read(descriptor, limit: readLimit)
            guard !part.isEmpty else {
                if code != 0 { throw .system("read", path, errno: code) }
                return bytes
            }
            bytes += part
            guard bytes.count <= limit else {
                throw HostError(.failure, "cannot read \(path): larger than \(limit >> 20) MiB")
            }
        }
    }
}
