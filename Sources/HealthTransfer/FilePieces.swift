package import GatewayHost
import Glibc
import HealthModel
import Platform

/// Reads a large file piece by piece.
package final class FilePieces {
    private let path: String
    private let file: FileLock
    private var descriptor: Int32 { file.descriptor }
    private let pieceSize: Int
    /// The size of the file when it was opened, in bytes.
    let size: Int
    /// The number of bytes before the next piece.
    private(set) var position = 0
    /// When the content of the file was last changed.
    let modified: Instant
    /// Whether all bytes were read.
    package private(set) var isAtEnd = false

    /// Opens a file.
    ///
    /// - Throws: ``HostError`` if it is not a regular file, or cannot be opened.
    package init(_ path: String, pieceSize: Int = 1 << 20) throws(HostError) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw .system("read", path, errno: errno) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            throw HostError(.failure, "cannot read \(LogFormat.escaped(path)): not a regular file")
        }
        self.path = path
        file = FileLock(owning: descriptor, .flock)
        self.pieceSize = pieceSize
        size = Int(status.st_size)
        modified = Instant(of: status.st_mtim)
    }

    /// Locks the file for this import; returns false when another import holds the lock.
    func lockUnlessHeld() -> Bool { file.lockUnlessHeld() }

    /// Releases the lock.
    func unlock() { file.unlock() }

    /// Continues at a number of bytes.
    func seek(to offset: Int) throws(HostError) {
        guard lseek(descriptor, off_t(offset), SEEK_SET) == off_t(offset) else {
            throw .system("read", path, errno: errno)
        }
        position = offset
        isAtEnd = false
    }

    /// Reads the next piece, which is shorter than the others at the end of the file.
    package func next() throws(HostError) -> [UInt8] {
        var piece: [UInt8] = []
        while piece.count < pieceSize {
            let (part, code) = SystemCall.read(descriptor, limit: pieceSize - piece.count)
            if code != 0 { throw .system("read", path, errno: code) }
            guard !part.isEmpty else {
                isAtEnd = true
                break
            }
            piece = piece.isEmpty ? part : piece + part
        }
        position += piece.count
        return piece
    }
}
