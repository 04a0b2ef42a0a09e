import Glibc

/// Room on the disk that is kept for the time when it is full.
///
/// To note that records were delivered, and to remove them, takes a little room in the log before it gives
/// back much. Without that room a disk that the journal itself has filled would stay full for ever.
struct JournalReserve {
    /// So many notes find room in it: each takes a few pages.
    static let bytes: off_t = 1 << 20

    private let path: String
    private var isThere = false

    /// Takes the room beside a journal, where there is enough.
    init(besides journal: String) {
        path = "\(journal)-reserve"
        take()
    }

    /// Takes the room again, when it was given up and there is enough.
    mutating func take() {
        guard !isThere else { return }
        let file = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard file >= 0 else { return }
        defer { close(file) }
        isThere = posix_fallocate(file, 0, Self.bytes) == 0
        if !isThere { unlink(path) }
    }

    /// Gives the room up; false when there is none.
    mutating func giveUp() -> Bool {
        guard isThere else { return false }
        isThere = false
        return unlink(path) == 0
    }
}
