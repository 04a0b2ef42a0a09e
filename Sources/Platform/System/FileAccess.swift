import Glibc

/// Why a file cannot be opened, for an operator.
package enum FileAccess {
    /// The problem of a file that is there and cannot be opened for reading and writing, and its remedy; nil when it
    /// can, or when there is nothing at the path.
    package static func problem(at path: String) -> (problem: String, remedy: String)? {
        var status = stat()
        guard lstat(path, &status) == 0 else {
            return errno == EACCES ? denied("\(path): \(SystemCall.message(of: EACCES))") : nil
        }
        if status.st_mode & S_IFMT == S_IFLNK, stat(path, &status) != 0 {
            return problem(ofLink: path, code: errno)
        }
        guard faccessat(AT_FDCWD, path, R_OK | W_OK, AT_EACCESS) != 0 else { return nil }
        return denied("\(path): \(SystemCall.message(of: errno))")
    }

    private static func problem(
        ofLink path: String, code: Int32
    ) -> (problem: String, remedy: String) {
        let target = SystemCall.target(ofLink: path).map { " to \($0)" } ?? ""
        let link = "\(path) is a symbolic link\(target)"
        return switch code {
        case ENOENT, ENOTDIR:
            (
                "\(link), where there is no file",
                "remove the link, or bring back the file: its disk may not be mounted"
            )
        case ELOOP: ("\(link), which leads back to it", "remove the link")
        default: denied("\(link): \(SystemCall.message(of: code))")
        }
    }

    private static func denied(_ problem: String) -> (problem: String, remedy: String) {
        (
            problem,
            "grant this user read and write permission for the file and access to its folders"
        )
    }
}
