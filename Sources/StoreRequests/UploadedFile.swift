import GatewayCore
import GatewayHost
import Glibc
import HealthModel
import Platform

/// A file that a client sends, which is removed with the last reference.
final class UploadedFile {
    /// What messages call it: a client does not learn paths of this machine.
    private static let name = "the file"

    /// The path, which is no one else's.
    let path: String
    /// The number of bytes so far.
    private(set) var size = 0
    private let descriptor: Int32

    /// Creates an empty file, readable by this user only, and the folder if it is missing.
    init(in folder: String) throws(HostError) {
        guard mkdir(folder, 0o700) == 0 || errno == EEXIST else {
            throw .system("store", Self.name, errno: errno)
        }
        path = "\(folder)/\(String(UInt64.random(in: .min ... .max), radix: 16))"
        descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .system("store", Self.name, errno: errno) }
    }

    deinit {
        close(descriptor)
        unlink(path)
    }

    /// Appends a piece.
    ///
    /// - Throws: ``RequestContentTooLong``; ``HostError`` when it cannot be written.
    func write(_ piece: [UInt8]) throws {
        size += piece.count
        guard size <= RequestContentTooLong.maximumFileBytes else { throw RequestContentTooLong() }
        do throws(OutputDescriptor.Failure) {
            try OutputDescriptor(descriptor: descriptor).write(piece)
        } catch {
            throw HostError.system("store", Self.name, errno: error.code)
        }
    }
}
