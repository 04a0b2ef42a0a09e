/// The failures that a committed batch survives, in the journal and in a store.
public enum Durability: String, CaseIterable, Sendable {
    /// A crash of the process at any moment.
    case crash
    /// Also a power loss: every commit waits for the disk.
    case powerLoss
}
