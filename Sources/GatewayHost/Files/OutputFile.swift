import Glibc
import Platform

/// Writes the output file that the user names for a command.
package enum OutputFile {
    /// Replaces the file atomically: a reader finds the old content or all of the new content.
    ///
    /// A symbolic link is followed. A pipe or a device is written to directly.
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

    /// Replaces a file; an error names the file, not its temporary draft.
    private static func replace(_ path: String, with bytes: [UInt8]) throws(HostError) {
        let draft = "\(path).\(getpid()).new"
        do throws(HostError) {
            try TextFile.replace(path, draft: draft, with: bytes)
        } catch {
            throw HostError(error.status, error.message.replacing(draft, with: path))
        }
    }

    /// Resolves symbolic links; returns the path itself if there is no file.
    private static func resolved(_ path: String) -> String {
        guard let text = realpath(path, nil) else { return path }
        defer { free(text) }
        return String(cString: text)
    }
}
