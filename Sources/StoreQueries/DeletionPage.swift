package import HealthModel
package import HealthStore

/// Deletions to forward to other sinks, and the place after them.
package struct DeletionPage: Sendable, Equatable {
    /// The deletions; a record that was stored again since is not among them.
    package let deletions: [DeletedRecord]
    /// Where the next call begins.
    package let anchor: StoreAnchor
    /// Whether there may be more.
    package let hasMore: Bool

    package init(deletions: [DeletedRecord], anchor: StoreAnchor, hasMore: Bool) {
        self.deletions = deletions
        self.anchor = anchor
        self.hasMore = hasMore
    }
}
