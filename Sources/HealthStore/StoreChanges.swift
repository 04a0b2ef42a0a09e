public import HealthModel

/// What has changed in a store since an anchor.
public struct StoreChanges: Sendable, Hashable {
    /// The records that were stored, in the order of their commits; those that were removed since are
    /// not among them.
    ///
    /// A record may be given more than once, when it is delivered to the store again or is stored while
    /// pages of changes are read; its id tells that.
    public var added: [Record]
    /// The ids of records that were deleted or replaced, and are not in the store.
    ///
    /// Records that only became too old for a limited store are not among them.
    public var removed: [RecordID]
    /// The anchor for the next call.
    public var anchor: StoreAnchor
    /// Whether there are more changes, which the next call returns.
    public var hasMore: Bool

    /// Makes a value from its parts.
    public init(added: [Record], removed: [RecordID], anchor: StoreAnchor, hasMore: Bool) {
        self.added = added
        self.removed = removed
        self.anchor = anchor
        self.hasMore = hasMore
    }
}
