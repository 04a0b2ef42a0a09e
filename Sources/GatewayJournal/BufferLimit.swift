/// The limits of a sink's buffer in the journal, and the policy when it is full.
public struct BufferLimit: Sendable, Hashable {
    /// The policy when the buffer is full.
    public enum Policy: String, Sendable, CaseIterable {
        /// Drop the oldest records and count them as dropped.
        case dropOldest
        /// Block the sources that can wait.
        case block
    }

    /// The smallest limit.
    public static let smallestBytes: Int64 = 256 << 10
    /// The default limit, so that a failed sink cannot fill the disk.
    public static let defaultBytes: Int64 = 1 << 30

    /// The maximum size of the buffered records in bytes.
    public var bytes = Self.defaultBytes
    /// The maximum age of the oldest record in seconds; nil for no limit.
    public var seconds: Double?
    /// The policy when a limit is exceeded.
    public var whenFull = Policy.dropOldest

    /// Makes the default limit.
    public init() {}
}

/// The start position of a sink that is new to the journal.
public enum StartPosition: String, Sendable, CaseIterable {
    /// After the newest record.
    case now
    /// At the oldest record in the journal.
    case start
}

/// A sink's registration in the journal.
public struct JournalSink: Sendable, Hashable {
    /// The name under which its cursor is stored.
    public var name: String
    /// The previous name of a sink that was renamed.
    public var previousName: String?
    /// Where it starts if it is new.
    public var startPosition: StartPosition
    /// The limits of its buffer.
    public var buffer: BufferLimit
    /// Whether it reads records, which are kept beside their lines as long as they are in memory.
    public var readsRecords: Bool

    /// Describes a sink.
    public init(
        _ name: String, previousName: String? = nil, startPosition: StartPosition = .now,
        buffer: BufferLimit = BufferLimit(), readsRecords: Bool = false
    ) {
        self.name = name
        self.previousName = previousName
        self.startPosition = startPosition
        self.buffer = buffer
        self.readsRecords = readsRecords
    }
}
