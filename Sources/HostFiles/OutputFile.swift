import Glibc
import Platform

/// The output file that the user names for a command, written piece by piece.
///
/// It replaces an old file atomically: a reader finds the old content or all of the new content.
/// Until then a draft is beside it, readable by this user only, which is removed when it is not
/// committed, or by the next command that writes this file. A symbolic link is followed. A pipe or a device is written to directly. What root writes in a folder
/// of another user, as with sudo, belongs to that user.
package final class OutputFile {
    /// The maximum number of symbolic links to follow: that of the kernel.
    private static let maximumLinkCount = 40

    private let path: String
    private let draft: String?
    private let descriptor: Int32
    private let whenExists: HostError?
    private var isCommitted = false

    /// Writes all of a file.
    package static func write(_ bytes: [UInt8], to path: String) throws(HostError) {
        let file = try OutputFile(path)
        try file.write(bytes)
        try file.commit()
    }

    /// Opens the file, or a draft beside it; a pipe waits for its reader.
    ///
    /// - Parameter whenExists: The error when there is a file with this name at the end; nil to replace it.
    package init(_ path: String, whenExists: HostError? = nil) throws(HostError) {
        guard let target = Self.resolved(path) else { throw .system("write", path, errno: ELOOP) }
        var status = stat()
        let isSpecial = stat(target, &status) == 0 && status.st_mode & S_IFMT != S_IFREG
        let draft = isSpecial ? nil : "\(target).\(getpid()).new"
        if draft != nil { AbandonedDrafts.remove(of: target) }
        descriptor = draft.map(Self.create) ?? open(target, O_WRONLY | O_NOCTTY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .system("write", path, errno: errno) }
        self.path = target
        self.whenExists = whenExists
        self.draft = draft
    }

    deinit {
        close(descriptor)
        guard let draft, !isCommitted else { return }
        _ = AccountNames.asRealUser { unlink(draft) }
    }

    /// Creates a draft in place of what an earlier process, or another user, has left there, which may be a link or
    /// a pipe.
    private static func create(_ draft: String) -> Int32 {
        for _ in 0..<createAttempts {
            let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
            let descriptor = Glibc.open(draft, flags, 0o600)
            guard descriptor < 0, errno == EEXIST, unlink(draft) == 0 else { return descriptor }
        }
        errno = EEXIST
        return -1
    }

    private static let createAttempts = 10

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
        try AccountNames.asRealUser { () throws(HostError) in try commit(draft) }
    }

    private func commit(_ draft: String) throws(HostError) {
        guard fchmod(descriptor, 0o600) == 0, giveToOwnerOfFolder(), fsync(descriptor) == 0 else {
            throw .system("write", path, errno: errno)
        }
        if let whenExists {
            let code = SystemCall.renameToUnused(draft, path)
            guard code != EEXIST else { throw whenExists }
            guard code == 0 else { throw .system("write", path, errno: code) }
        } else if rename(draft, path) != 0 {
            throw .system("write", path, errno: errno)
        }
        isCommitted = true
        SystemCall.syncDirectory(of: path)
    }

    /// Gives what root has written to the user of the folder; false with errno when that fails.
    private func giveToOwnerOfFolder() -> Bool {
        let name = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
        var folder = stat()
        guard geteuid() == 0, stat(name, &folder) == 0, folder.st_uid != 0 else { return true }
        return fchown(descriptor, folder.st_uid, folder.st_gid) == 0
    }

    /// Resolves symbolic links, also those to a file that does not exist; returns another path itself,
    /// and nil when there are too many links.
    package static func resolved(_ path: String) -> String? {
        var target = path
        for _ in 0..<maximumLinkCount {
            if let text = realpath(target, nil) {
                defer { free(text) }
                return String(cString: text)
            }
            guard let next = destination(ofLink: target) else { return target }
            target = next
        }
        return nil
    }

    /// Where a symbolic link leads; nil for another path.
    private static func destination(ofLink path: String) -> String? {
        guard let target = SystemCall.target(ofLink: path) else { return nil }
        guard !target.hasPrefix("/"), let slash = path.lastIndex(of: "/") else { return target }
        return path[...slash] + target
    }
}
