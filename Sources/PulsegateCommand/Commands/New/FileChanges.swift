import GatewayHost
import Glibc
import Platform
import PluginTemplates

/// Files to write and to change in a folder: all of them, or none.
///
/// Everything is first written into a temporary folder beside its place and then renamed, the changes of
/// existing files last. When a rename fails, the ones before it are undone.
struct FileChanges {
    /// A change of a file that exists.
    struct Edit {
        /// The path in the folder.
        let path: String
        let old: String
        let new: String
    }

    /// The folder; it is created when it does not exist.
    let root: String
    var files: [TemplateFile]
    var edits: [Edit] = []
    /// The system call that puts a file or a folder in its place; it fails when something is there.
    var move: @Sendable (_ from: String, _ to: String) -> Int32 = {
        Self.moveWithoutReplacing($0, $1)
    }
    /// The system call that replaces a file.
    var replace: @Sendable (_ from: String, _ to: String) -> Int32 = { rename($0, $1) }

    /// Writes everything, or throws and leaves everything as it was.
    func apply() throws(HostError) {
        for edit in edits where try PluginTree.text(of: "\(root)/\(edit.path)") != edit.old {
            throw HostError(.failure, "\(root)/\(edit.path) has just been changed; try again")
        }
        let isNew = mkdir(root, 0o777) == 0
        guard isNew || errno == EEXIST else { throw .system("create", root, errno: errno) }
        let staging = "\(root)/.pulsegate-new-\(getpid())"
        guard mkdir(staging, 0o700) == 0 else {
            let code = errno
            if isNew { rmdir(root) }
            throw .system("create", staging, errno: code)
        }
        var undo: [(from: String, to: String)] = []
        defer {
            FolderRemoval.remove(staging)
            if isNew { rmdir(root) }  // Only an empty folder can be removed.
        }
        do throws(HostError) {
            try stage(in: staging)
            try moveFiles(from: staging, &undo)
            try replaceFiles(from: staging, &undo)
        } catch {
            for step in undo.reversed() { rename(step.from, step.to) }
            throw error
        }
    }

    // MARK: Steps

    private func stage(in staging: String) throws(HostError) {
        try Self.makeFolder(staging, "new")
        for file in files {
            try Self.makeFolder("\(staging)/new", folder(of: file.path))
            let mode: mode_t = file.isExecutable ? 0o777 : 0o666
            try Self.write(file.text, to: "\(staging)/new/\(file.path)", mode)
        }
        for (number, edit) in edits.enumerated() {
            var status = stat()
            guard stat("\(root)/\(edit.path)", &status) == 0 else {
                throw .system("read", "\(root)/\(edit.path)", errno: errno)
            }
            for (name, text) in [("edit", edit.new), ("old", edit.old)] {
                let path = "\(staging)/\(name)\(number)"
                try Self.write(text, to: path, 0o666)
                chmod(path, status.st_mode & 0o777)
            }
        }
    }

    /// Puts the new files in place: each folder that does not exist yet as a whole.
    private func moveFiles(from staging: String, _ undo: inout [(from: String, to: String)])
        throws(HostError)
    {
        for path in newPaths {
            let target = "\(root)/\(path)"
            guard move("\(staging)/new/\(path)", target) == 0 else {
                throw .system("create", target, errno: errno)
            }
            undo.append((from: target, to: "\(staging)/new/\(path)"))
        }
    }

    private func replaceFiles(from staging: String, _ undo: inout [(from: String, to: String)])
        throws(HostError)
    {
        for (number, edit) in edits.enumerated() {
            let target = "\(root)/\(edit.path)"
            guard replace("\(staging)/edit\(number)", target) == 0 else {
                throw .system("change", target, errno: errno)
            }
            undo.append((from: "\(staging)/old\(number)", to: target))
        }
    }

    /// The shortest beginning of each path that does not exist in the folder, each once.
    private var newPaths: [String] {
        var paths: [String] = []
        for file in files {
            let parts = file.path.split(separator: "/")
            let starts = (1...parts.count).map { parts.prefix($0).joined(separator: "/") }
            let start = starts.first { !Self.exists("\(root)/\($0)") } ?? file.path
            if !paths.contains(start) { paths.append(start) }
        }
        return paths
    }

    // MARK: Files

    private func folder(of path: String) -> String {
        path.split(separator: "/").dropLast().joined(separator: "/")
    }

    /// Moves a file or a folder; fails with `EEXIST` when something is there.
    private static func moveWithoutReplacing(_ from: String, _ to: String) -> Int32 {
        if link(from, to) == 0 {
            unlink(from)
            return 0
        }
        // A folder cannot be linked; `rename` replaces no folder that has something in it.
        guard errno == EPERM || errno == EOPNOTSUPP else { return -1 }
        guard !exists(to) else {
            errno = EEXIST
            return -1
        }
        return rename(from, to)
    }

    static func exists(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0
    }

    private static func makeFolder(_ base: String, _ path: String) throws(HostError) {
        var folder = base
        for part in path.split(separator: "/") {
            folder += "/\(part)"
            guard mkdir(folder, 0o777) == 0 || errno == EEXIST else {
                throw .system("create", folder, errno: errno)
            }
        }
    }

    private static func write(_ text: String, to path: String, _ mode: mode_t) throws(HostError) {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
        guard descriptor >= 0 else { throw .system("write", path, errno: errno) }
        defer { close(descriptor) }
        do throws(OutputDescriptor.Failure) {
            try OutputDescriptor(descriptor: descriptor).write(Array(text.utf8))
        } catch {
            throw .system("write", path, errno: error.code)
        }
    }
}

/// Removes a temporary folder with everything in it.
enum FolderRemoval {
    static func remove(_ folder: String) {
        for name in (try? PluginTree.names(in: folder)) ?? [] {
            let path = "\(folder)/\(name)"
            if unlink(path) != 0 { remove(path) }
        }
        rmdir(folder)
    }
}
