import GatewayCore
import Glibc
import JSON
import Platform

/// Reads and replaces small text files.
package enum TextFile {
    /// The maximum number of symbolic links that Linux follows (path_resolution(7)).
    private static let linkLimit = 40

    /// Reads the text of a file; nil if the file does not exist.
    package static func read(_ path: String) throws(HostError) -> String? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        let code = errno
        guard descriptor >= 0 else {
            if code == ENOENT { return nil }
            throw unreadable(path, String(cString: strerror(code)))
        }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw unreadable(path, notRegular)
        }
        guard status.st_size <= JSONValue.sizeLimit else {
            throw unreadable(path, "larger than 1 MiB")
        }
        var bytes = [UInt8](repeating: 0, count: JSONValue.sizeLimit + 1)
        var length = 0
        while length < bytes.count {
            let count = bytes.withUnsafeMutableBytes {
                Glibc.read(descriptor, $0.baseAddress?.advanced(by: length), $0.count - length)
            }
            if count < 0 { throw unreadable(path, String(cString: strerror(errno))) }
            if count == 0 { break }
            length += count
        }
        guard let text = String(validating: bytes.prefix(length), as: UTF8.self) else {
            throw unreadable(path, "not UTF-8 text")
        }
        return text
    }

    /// Checks that a path is that of a regular file, or of none.
    ///
    /// What is opened in another way than ``read(_:)`` does could wait for the other end of a pipe.
    package static func checkKind(of path: String) throws(HostError) {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT != S_IFREG else { return }
        throw HostError(.configuration, "\(path): \(notRegular); move it away")
    }

    private static let notRegular = "not a regular file"

    private static func unreadable(_ path: String, _ reason: String) -> HostError {
        HostError(.configuration, "cannot read \(path): \(reason)")
    }

    /// Resolves symbolic links of the last path component; the target need not exist.
    package static func followingLinks(_ path: String) throws(HostError) -> String {
        var path = path
        for _ in 0...linkLimit {
            guard let target = SystemCall.target(ofLink: path) else { return path }
            path = target.hasPrefix("/") ? target : "\(folder(of: path))/\(target)"
        }
        throw .system("write", path, errno: ELOOP)
    }

    /// The directory of an absolute path.
    package static func folder(of path: String) -> String {
        "/" + path.split(separator: "/").dropLast().joined(separator: "/")
    }

    /// Replaces a file atomically with a text, readable by this user only.
    ///
    /// A reader finds the old or the new text, also after a power failure. The text is first
    /// written to `draft` in the same directory, which no other process may be writing.
    package static func replace(
        _ path: String, draft: String, with text: String
    ) throws(HostError) {
        try checkKind(of: draft)
        let flags = O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC
        let descriptor = open(draft, flags, 0o600)
        guard descriptor >= 0 else { throw .system("write", draft, errno: errno) }
        do {
            defer { close(descriptor) }
            try write(Array(text.utf8), to: descriptor, draft)
        } catch {
            unlink(draft)
            throw error
        }
        guard rename(draft, path) == 0 else {
            let code = errno
            unlink(draft)
            throw .system("write", path, errno: code)
        }
        SystemCall.syncDirectory(of: path)
    }

    private static func write(
        _ bytes: [UInt8], to descriptor: Int32, _ path: String
    ) throws(HostError) {
        do throws(OutputDescriptor.Failure) {
            try OutputDescriptor(descriptor: descriptor).write(bytes)
        } catch {
            throw .system("write", path, errno: error.code)
        }
        guard fchmod(descriptor, 0o600) == 0, fsync(descriptor) == 0 else {
            throw .system("write", path, errno: errno)
        }
    }
}
