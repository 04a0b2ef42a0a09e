/// The sizes of a log's files.
package struct LogSizes: Sendable, Equatable {
    /// The size of each of two places at the end of a segment, where the ledger is written in turns
    /// while there is no space for another segment.
    static let ledgerPlace = 16 << 10
    private static let unit = 64 << 10

    /// The size of a segment in bytes; one batch that is larger gets a larger one.
    var segment: Int
    /// The space in bytes that is left to the sinks of a full file system.
    var reserve: Int
    /// The space in bytes for records that a sink has stored but not verified.
    var unverified: Int

    /// Chooses sizes for a file system of this size in bytes.
    init(fileSystem bytes: Int64) {
        let share = Int(clamping: max(bytes, 0)) / 16 / Self.unit * Self.unit
        segment = min(max(share, 4 * Self.unit), 4 << 20)
        reserve = min(max(share, 8 * Self.unit), 8 << 20)
        unverified = min(share, 16 << 20)
    }

    /// Uses these sizes.
    package init(segment: Int, reserve: Int, unverified: Int = 16 << 20) {
        self.segment = segment
        self.reserve = reserve
        self.unverified = unverified
    }
}
