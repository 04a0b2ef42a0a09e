import Glibc

/// Lists the processes that read from a write-ahead log, from the kernel's list of locks on the
/// wal-index (-shm).
///
/// `fcntl` cannot be used: it needs an open descriptor, and closing that would release the locks of
/// this process.
package enum LogReaders {
    /// The bytes of the index for reader locks: WAL_READ_LOCK(0) to (4), SQLite's wal.c and
    /// os_unix.c.
    private static let readerBytes = 123...127
    private static let listPath = "/proc/locks"
    private static let maximumListLength = 1 << 20
    /// The maximum number of processes in the list.
    private static let limit = 5

    /// The names and IDs of the processes; empty where the kernel does not list locks.
    package static func names(ofIndex path: String) -> [String] {
        var status = stat()
        guard stat(path, &status) == 0 else { return [] }
        let processes = processes(in: text(of: listPath), inode: UInt64(status.st_ino))
        return processes.prefix(limit).map { process in
            let name = text(of: "/proc/\(process)/comm").split(separator: "\n").first ?? "process"
            return "\(name) (\(process))"
        }
    }

    /// The processes with a reader lock, from lines such as
    /// `1: POSIX ADVISORY READ 812 08:01:131 124 124`.
    package static func processes(in list: String, inode: UInt64) -> [Int32] {
        var processes: [Int32] = []
        for line in list.split(separator: "\n") {
            let words = line.split(separator: " ")
            guard words.count == 8, words[1] == "POSIX", words[3] == "READ",
                let process = Int32(words[4]), process > 0,
                words[5].split(separator: ":").last.flatMap({ UInt64($0) }) == inode,
                let byte = Int(words[6]), readerBytes.contains(byte), !processes.contains(process)
            else { continue }
            processes.append(process)
        }
        return processes
    }

    private static func text(of path: String) -> String {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return "" }
        defer { close(file) }
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 4_096)
        while bytes.count < maximumListLength {
            let count = read(file, &piece, piece.count)
            guard count > 0 else { break }
            bytes += piece[..<count]
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
