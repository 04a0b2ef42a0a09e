import GatewayCore
import Glibc
import Platform

/// The file of a program, and why it cannot be executed.
struct ProgramFile {
    /// The path, as a call would find it.
    let path: String

    /// Whether there is something at the path, as far as this user can see.
    var exists: Bool { access(path, F_OK) == 0 || errno != ENOENT && errno != ENOTDIR }

    /// The problem and its remedy; nil when nothing speaks against executing it.
    var flaw: LinkError? {
        var status = stat()
        guard stat(path, &status) == 0 else {
            let message = SystemCall.message(of: errno)
            return LinkError(
                "`\(path)` cannot be reached: \(message)",
                remedy: "grant this user access to its folders")
        }
        switch status.st_mode & S_IFMT {
        case S_IFREG: return flaw(ofMode: status.st_mode)
        case S_IFDIR: return LinkError("`\(path)` is a folder", remedy: Self.otherPath)
        default: return LinkError("`\(path)` is not a regular file", remedy: Self.otherPath)
        }
    }

    /// `ST_NOEXEC` of statvfs(3), which Swift does not import.
    private static let noExec: UInt = 8
    private static let otherPath = "set the path of a program in `command`"

    private func flaw(ofMode mode: mode_t) -> LinkError? {
        guard access(path, X_OK) != 0 else { return nil }
        var fileSystem = statvfs()
        if statvfs(path, &fileSystem) == 0, fileSystem.f_flag & Self.noExec != 0 {
            return LinkError(
                "`\(path)` is on a file system that is mounted with noexec",
                remedy: "move it to another one, or mount that with exec")
        }
        guard mode & 0o111 != 0 else {
            return LinkError(
                "`\(path)` is not executable", remedy: Remedy("run", run: ["chmod", "+x", path]))
        }
        return LinkError(
            "`\(path)` is not executable for \(AccountNames.user(geteuid()))",
            remedy: Remedy("run", run: ["chmod", "a+x", path]))
    }
}
