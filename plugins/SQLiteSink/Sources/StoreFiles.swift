import Glibc
import Platform

/// A corrupt store with fingerprints of its files: after a change it is tried again.
struct CorruptStore {
    /// The problem and its remedy.
    let reason: String
    private let logPath: String
    private let fingerprints: [FileFingerprint?]

    init(reason: String, path: String, logPath: String) {
        self.reason = reason
        self.logPath = logPath
        fingerprints = Self.fingerprints(path, logPath)
    }

    /// Returns whether the file or its log has changed.
    func hasChanged(at path: String) -> Bool {
        fingerprints != Self.fingerprints(path, logPath)
    }

    private static func fingerprints(_ path: String, _ logPath: String) -> [FileFingerprint?] {
        [FileFingerprint(path: path), FileFingerprint(path: logPath)]
    }
}

/// The metadata of a file that shows changes.
private struct FileFingerprint: Equatable {
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
