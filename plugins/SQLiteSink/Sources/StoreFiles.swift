import Glibc
import Platform

/// The files of an open store: another program may move, replace or remove them.
struct StoreFiles {
    /// What has happened to them.
    enum Change: String {
        case store = "the store was moved, replaced or removed"
        case log = "the write-ahead log of the store was moved, replaced or removed"
    }

    private let path: String
    private let logPaths: [String]
    private let store: FileIdentity?
    /// The log and its index; nil for one that is not there yet.
    private var logs: [FileIdentity?]

    /// Notes which files the names lead to.
    init(path: String, logPaths: [String]) {
        self.path = path
        self.logPaths = logPaths
        store = FileIdentity(path: path)
        logs = logPaths.map { FileIdentity(path: $0) }
    }

    /// Notes a log that was made since.
    mutating func noteLog() {
        for index in logs.indices where logs[index] == nil {
            logs[index] = FileIdentity(path: logPaths[index])
        }
    }

    /// What has happened to the files; nil while they are in their places.
    var change: Change? {
        guard FileIdentity(path: path) == store else { return .store }
        let isInPlace = zip(logs, logPaths).allSatisfy { log, path in
            log == nil || FileIdentity(path: path) == log
        }
        return isInPlace ? nil : .log
    }
}

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
