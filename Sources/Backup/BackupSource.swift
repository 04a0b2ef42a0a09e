import GatewayHost
import Glibc
import Platform

/// The content of a file that is backed up, which can be read more than once.
enum BackupSource {
    /// A small file, in memory.
    case bytes([UInt8])
    /// A file of any size that does not change.
    case file(OpenedFile)

    /// Its size in bytes.
    var size: Int64 {
        switch self {
        case .bytes(let bytes): Int64(bytes.count)
        case .file(let file): file.size
        }
    }

    /// Reads all of it, piece by piece.
    func read(_ receive: ([UInt8]) throws(HostError) -> Void) throws(HostError) {
        switch self {
        case .bytes(let bytes): try receive(bytes)
        case .file(let file): try file.read(receive)
        }
    }

    /// Calculates the checksum.
    ///
    /// - Parameter report: Gets the number of bytes of each piece.
    func checksum(
        report: (Int) throws(HostError) -> Void
    ) throws(HostError) -> String {
        var hash = SHA256()
        try read { (piece) throws(HostError) in
            hash.update(piece)
            try report(piece.count)
        }
        return hash.finish()
    }
}

/// A regular file that is open for reading: it stays what it is when its name is removed.
final class OpenedFile {
    private static let pieceSize = 1 << 20

    let path: String
    /// Its size when it was opened.
    let size: Int64
    private let descriptor: Int32

    /// Opens a file; nil when it does not exist.
    init?(_ path: String) throws(HostError) {
        self.path = path
        descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        let code = errno
        guard descriptor >= 0 else {
            if code == ENOENT { return nil }
            throw .system("read", path, errno: code)
        }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            throw HostError(.failure, "cannot read \(path): not a regular file")
        }
        size = Int64(status.st_size)
    }

    deinit { close(descriptor) }

    /// Reads the file from its beginning up to its size when it was opened.
    func read(_ receive: ([UInt8]) throws(HostError) -> Void) throws(HostError) {
        guard lseek(descriptor, 0, SEEK_SET) == 0 else { throw .system("read", path, errno: errno) }
        var left = size
        while left > 0 {
            let limit = Int(min(left, Int64(Self.pieceSize)))
            let (piece, code) = SystemCall.read(descriptor, limit: limit)
            guard code == 0 else { throw .system("read", path, errno: code) }
            guard !piece.isEmpty else {
                throw HostError(.failure, "cannot read \(path): it became shorter meanwhile")
            }
            left -= Int64(piece.count)
            try receive(piece)
        }
    }
}

/// The bytes of a backup come from its file.
struct BackupInput: ArchiveInput {
    private let descriptor: Int32

    /// Reads from the present position of a descriptor, which the caller keeps open.
    init(_ descriptor: Int32) {
        self.descriptor = descriptor
    }

    mutating func read(upTo count: Int) throws(BackupError) -> [UInt8] {
        let (bytes, code) = SystemCall.read(descriptor, limit: count)
        guard code == 0 else { throw .unreadable(SystemCall.message(of: code)) }
        return bytes
    }
}
