import Glibc
import Platform

/// The file of a program, and why it cannot be executed.
struct ProgramFile {
    /// The path, as a call would find it.
    let path: String

    /// Whether there is something at the path, as far as this user can see.
    var exists: Bool { access(path, F_OK) == 0 || errno != ENOENT && errno != ENOTDIR }

    /// The problem and its remedy; nil when nothing speaks against executing it.
    var flaw: (problem: String, remedy: String)? {
        var status = stat()
        guard stat(path, &status) == 0 else {
            let message = SystemCall.message(of: errno)
            return (
                "`\(path)` cannot be reached: \(message)", "grant this user access to its folders"
            )
        }
        switch status.st_mode & S_IFMT {
        case S_IFREG: return flaw(ofMode: status.st_mode)
        case S_IFDIR: return ("`\(path)` is a folder", Self.otherPath)
        default: return ("`\(path)` is not a regular file", Self.otherPath)
        }
    }

    /// `ST_NOEXEC` of statvfs(3), which Swift does not import.
    private static let noExec: UInt = 8
    private static let otherPath = "set the path of a program in `command`"

    private func flaw(ofMode mode: mode_t) -> (problem: String, remedy: String)? {
        guard access(path, X_OK) != 0 else { return nil }
        var fileSystem = statvfs()
        if statvfs(path, &fileSystem) == 0, fileSystem.f_flag & Self.noExec != 0 {
            return (
                "`\(path)` is on a file system that is mounted with noexec",
                "move it to another one, or mount that with exec"
            )
        }
        let word = ShellWord.quoted(path)
        guard mode & 0o111 != 0 else {
            return ("`\(path)` is not executable", "run: chmod +x \(word)")
        }
        return (
            "`\(path)` is not executable for \(AccountNames.user(geteuid()))",
            "run: chmod a+x \(word)"
        )
    }
}
