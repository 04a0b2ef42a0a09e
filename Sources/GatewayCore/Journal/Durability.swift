/// What a committed batch survives, in the journal and in a store that is fed from it.
public enum Durability: String, CaseIterable, Sendable {
    /// The death of the process, at any moment.
    case crash
    /// The loss of power too: every commit waits for the disk.
    case powerLoss
}
