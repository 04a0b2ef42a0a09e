package import GatewayHost
import Glibc
import Platform

/// An output file that is written piece by piece, and replaces the old file when it is complete.
///
/// The draft is beside the file, readable by this user only, and is removed when it is not
/// committed. A pipe or a device is written to directly.
package final class DraftFile {
    private let path: String
    private let draft: String?
    private let descriptor: Int32
    private var isCommitted = false

    /// Opens the file, or a draft beside it.
    package init(_ path: String) throws(HostError) {
        let target = Self.resolved(path)
        var status = stat()
        let isSpecial = stat(target, &status) == 0 && status.st_mode & S_IFMT != S_IFREG
        let draft = isSpecial ? nil : "\(target).\(getpid()).new"
        let create = O_CREAT | O_TRUNC | O_NOFOLLOW
        descriptor = open(
            draft ?? target, O_WRONLY | O_NOCTTY | O_CLOEXEC | (isSpecial ? 0 : create), 0o600)
        guard descriptor >= 0 else { throw .system("write", path, errno: errno) }
        self.path = target
        self.draft = draft
    }

    deinit {
        close(descriptor)
        if let draft, !isCommitted { unlink(draft) }
    }

    /// Writes the next piece.
    package func write(_ bytes: [UInt8]) throws(HostError) {
        do throws(OutputDescriptor.Failure) {
            try OutputDescriptor(descriptor: descriptor).write(bytes)
        } catch {
            throw .system("write", path, errno: error.code)
        }
    }

    /// Replaces the old file.
    package func commit() throws(HostError) {
        guard let draft else { return }
        guard fsync(descriptor) == 0, rename(draft, path) == 0 else {
            throw .system("write", path, errno: errno)
        }
        isCommitted = true
        SystemCall.syncDirectory(of: path)
    }

    /// Resolves symbolic links; returns the path itself if there is no file.
    private static func resolved(_ path: String) -> String {
        guard let text = realpath(path, nil) else { return path }
        defer { free(text) }
        return String(cString: text)
    }
}
