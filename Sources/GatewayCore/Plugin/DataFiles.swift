/// The files in the data directory that are the gateway's own, and where the others are.
public enum DataFiles {
    /// The journal, a SQLite file.
    public static let journal = "journal.sqlite"
    /// Room that the journal keeps for the time when the disk is full.
    public static let journalReserve = "journal.sqlite-reserve"
    /// What will be the ``journal`` as soon as it is one.
    public static let journalBeginning = "journal.sqlite.new"
    /// What will be the ``journal`` when a damaged one is replaced.
    public static let journalDraft = "journal.sqlite.mending"
    /// A copy of a damaged journal, while it is read.
    public static let journalCopy = "journal.sqlite.mending-copy"
    /// The lock that shows that a gateway uses the folder.
    public static let lock = "lock"
    /// The devices that are adopted.
    public static let adopted = "devices.json"
    /// What will be ``adopted`` as soon as it is whole.
    public static let adoptedDraft = "devices.json.new"
    /// What is known of people.
    public static let people = "people.json"
    /// What will be ``people`` as soon as it is whole.
    public static let peopleDraft = "people.json.new"
    /// The Unix socket on which the gateway that uses the folder answers `status`, `tap`, `add` and `reload`.
    public static let control = "control.sock"
    /// The names that a sink may not take for its file.
    public static let reserved = [
        journal, journalReserve, journalBeginning, journalDraft, journalCopy, lock, adopted,
        adoptedDraft, people, peopleDraft, control,
    ]

    /// A path of the configuration: as it is when absolute, else inside the folder.
    public static func resolve(_ path: String, in folder: String) -> String {
        path.hasPrefix("/") ? path : "\(folder)/\(path)"
    }
}
