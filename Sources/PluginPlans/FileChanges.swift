package import GatewayHost
import Glibc
import Platform

/// Files to write and to change in a folder: all of them, or none.
///
/// Everything is first written into a temporary folder beside its place and then renamed, the changes of
/// existing files last. When a rename fails, the ones before it are undone.
package struct FileChanges {
    /// A file to write.
    package struct File {
        /// The path in the folder.
        package let path: String
        package let text: String
        /// Whether it is a program.
        let isExecutable: Bool

        /// Makes a file.
        package init(_ path: String, _ text: String, isExecutable: Bool = false) {
            self.path = path
            self.text = text
            self.isExecutable = isExecutable
        }
    }

    /// A change of a file that exists.
    package struct Edit {
        /// The path in the folder.
        package let path: String
        let old: String
        let new: String

        /// Makes a change from one text to another.
        package init(path: String, old: String, new: String) {
            self.path = path
            self.old = old
            self.new = new
        }
    }

    /// The folder; it is created when it does not exist.
    package let root: String
    /// The files to write.
    package var files: [File]
    /// The files to change.
    package var edits: [Edit]
    /// The system call that puts a file or a folder in its place; it fails when something is there.
    var move: @Sendable (_ from: String, _ to: String) -> Int32 = {
        Self.moveWithoutReplacing($0, $1)
    }
    /// The system call that replaces a file.
    var replace: @Sendable (_ from: String, _ to: String) -> Int32 = { rename($0, $1) }

    /// Makes changes in a folder.
    package init(root: String, files: [File], edits: [Edit] = []) {
        self.root = root
        self.files = files
        self.edits = edits
    }

    /// Writes everything, or throws and leaves everything as it was.
    package func apply() throws(HostError) {
        for edit in edits where try Folder.text(of: "\(root)/\(edit.path)") != edit.old {
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
            Folder.remove(staging)
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
        try Folder.make("new", in: staging)
        for file in files {
            try Folder.make(folder(of: file.path), in: "\(staging)/new")
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
            let start = starts.first { !Folder.exists("\(root)/\($0)") } ?? file.path
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
        guard !Folder.exists(to) else {
            errno = EEXIST
            return -1
        }
        return rename(from, to)
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
