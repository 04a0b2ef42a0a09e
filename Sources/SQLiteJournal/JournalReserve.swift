import Glibc

/// Disk space reserved for the time when the file system is full.
///
/// Saving cursors and removing delivered records needs some space in the log before it frees space.
/// Without the reserve a file system that the journal has filled would stay full.
struct JournalReserve {
    /// Sufficient for many cursor updates, which write a few pages each.
    static let bytes: off_t = 1 << 20

    private let path: String
    private var isAllocated = false

    /// Allocates the reserve beside a journal, if there is enough space.
    init(besides journal: String) {
        path = "\(journal)-reserve"
        allocate()
    }

    /// Allocates the reserve again after a release, if there is enough space.
    mutating func allocate() {
        guard !isAllocated else { return }
        let file = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard file >= 0 else { return }
        defer { close(file) }
        isAllocated = posix_fallocate(file, 0, Self.bytes) == 0
        if !isAllocated { unlink(path) }
    }

    /// Releases the reserve; false when none is allocated.
    mutating func release() -> Bool {
        guard isAllocated else { return false }
        isAllocated = false
        return unlink(path) == 0
    }
}
