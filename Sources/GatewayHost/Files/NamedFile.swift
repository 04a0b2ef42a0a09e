import Glibc
import Platform

/// A place that somebody names for what a command makes.
package enum NamedFile {
    /// Puts bytes there: whoever reads a file finds the old one or the whole new one.
    ///
    /// A link stays a link. What is no file, as a pipe or a device, is written into and stays what it is.
    package static func write(_ bytes: [UInt8], to path: String) throws(HostError) {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT != S_IFREG else {
            return try replace(resolved(path), with: bytes)
        }
        let descriptor = open(path, O_WRONLY | O_NOCTTY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .system("write", path, errno: errno) }
        defer { close(descriptor) }
        do throws(OutputDescriptor.Failure) {
            try OutputDescriptor(descriptor: descriptor).write(bytes)
        } catch {
            throw .system("write", path, errno: error.code)
        }
    }

    /// The user has named the file, and knows nothing of the draft.
    private static func replace(_ path: String, with bytes: [UInt8]) throws(HostError) {
        let draft = "\(path).\(getpid()).new"
        do throws(HostError) {
            try TextFile.replace(path, draft: draft, with: bytes)
        } catch {
            throw HostError(error.status, error.message.replacing(draft, with: path))
        }
    }

    /// Where a path leads by its links; the path itself where nothing is.
    private static func resolved(_ path: String) -> String {
        guard let text = realpath(path, nil) else { return path }
        defer { free(text) }
        return String(cString: text)
    }
}
