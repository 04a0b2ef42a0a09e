import Glibc
import Platform

/// A store that cannot be used, and what its files looked like then: a change means that somebody mends.
struct DamagedStore {
    /// What is wrong and what mends it.
    let reason: String
    private let logPath: String
    private let marks: [FileMark?]

    init(reason: String, path: String, logPath: String) {
        self.reason = reason
        self.logPath = logPath
        marks = Self.marks(path, logPath)
    }

    /// Whether the file or its log is not what it was.
    func hasChanged(at path: String) -> Bool {
        marks != Self.marks(path, logPath)
    }

    private static func marks(_ path: String, _ logPath: String) -> [FileMark?] {
        [FileMark(path: path), FileMark(path: logPath)]
    }
}

/// What shows that a file was changed.
private struct FileMark: Equatable {
    let identity: FileIdentity
    let size: off_t
    let seconds: Int
    let nanoseconds: Int

    init?(path: String) {
        var status = stat()
        guard let identity = FileIdentity(path: path), stat(path, &status) == 0 else { return nil }
        self.identity = identity
        size = status.st_size
        seconds = status.st_mtim.tv_sec
        nanoseconds = status.st_mtim.tv_nsec
    }
}
