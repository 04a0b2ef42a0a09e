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
        guard access(path, X_OK) != 0 else { return interpreterFlaw }
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
    /// Why a script cannot be interpreted: execve(2) fails for its interpreter as for the script.
    private var interpreterFlaw: LinkError? {
        let line = firstBytes.prefix { $0 != UInt8(ascii: "\n") }
        guard line.starts(with: "#!".utf8) else { return nil }
        let isBlank = { (byte: UInt8) in byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
        let word = line.dropFirst(2).drop(while: isBlank).prefix { !isBlank($0) }
        let interpreter = String(decoding: word, as: UTF8.self)
        guard interpreter.hasPrefix("/"), access(interpreter, X_OK) != 0 else { return nil }
        let isMissing = errno == ENOENT
        guard word.last != UInt8(ascii: "\r") else {
            return LinkError(
                "the first line of `\(path)` ends with a carriage return",
                remedy: "save it with the line ends of Linux")
        }
        return LinkError(
            "the interpreter `\(interpreter)` of `\(path)` "
                + (isMissing ? "is missing" : "cannot be executed"),
            remedy: isMissing ? "install it, or correct the first line" : Self.otherPath)
    }

    /// The longest first line that the kernel reads (`BINPRM_BUF_SIZE`).
    private static let lineLimit = 256

    /// The first bytes; none when this user cannot read them.
    private var firstBytes: [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return [] }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: Self.lineLimit)
        let count = read(descriptor, &bytes, bytes.count)
        return Array(bytes.prefix(max(count, 0)))
    }
}
