/// The names of the gateway's own files in the data directory.
public enum DataFiles {
    /// The journal, a folder with segments of a log.
    public static let journal = "journal"
    /// A ``journal`` that is taken over from ``earlierJournal``, until it is complete.
    public static let journalDraft = "journal.new"
    /// The journal of earlier versions, a SQLite file.
    public static let earlierJournal = "journal.sqlite"
    /// The replacement of a corrupt ``earlierJournal`` until it is complete.
    public static let earlierJournalDraft = "journal.sqlite.mending"
    /// A copy of a corrupt ``earlierJournal`` during its repair.
    public static let earlierJournalCopy = "journal.sqlite.mending-copy"
    /// The lock of the gateway that uses the directory.
    public static let lock = "lock"
    /// The adopted devices.
    public static let adopted = "devices.json"
    /// New content of ``adopted`` until it is complete.
    public static let adoptedDraft = "devices.json.new"
    /// The people.
    public static let people = "people.json"
    /// New content of ``people`` until it is complete.
    public static let peopleDraft = "people.json.new"
    /// The places at which imports were interrupted.
    public static let imports = "imports.json"
    /// New content of ``imports`` until it is complete.
    public static let importsDraft = "imports.json.new"
    /// The folder of the workout files whose imports have begun.
    public static let pendingImports = "imports"
    /// The folder of the files that clients have sent, until they are imported.
    public static let uploads = "uploads"
    /// The place in the history of the store up to which deletions are forwarded to the sinks.
    public static let deletions = "deletions.anchor"
    /// The folder of the secrets, which only its owner can read.
    public static let secrets = "secrets"
    /// The access of other users and programs.
    public static let access = "access.json"
    /// New content of ``access`` until it is complete.
    public static let accessDraft = "access.json.new"
    /// The note that a crash leaves about the device whose data was being decoded.
    public static let crashNote = "crash"
    /// The note about a loop that does not answer.
    public static let hangNote = "hang.json"
    /// New content of ``hangNote`` until it is complete.
    public static let hangNoteDraft = "hang.json.new"
    /// The devices that crashed the gateway.
    public static let crashes = "crashes.json"
    /// New content of ``crashes`` until it is complete.
    public static let crashesDraft = "crashes.json.new"
    /// The Bluetooth links that belong to the gateway: a folder for each source, with a file for each
    /// link.
    public static let links = "links"
    /// The Unix socket for control requests such as `status`, `tap`, `add` and `reload`.
    public static let control = "control.sock"
    /// The folder of the files that a restore is writing.
    public static let restoreDraft = "restore.new"
    /// ``restoreDraft`` when it is complete, until the files have their places.
    public static let restoreComplete = "restore.complete"
    /// The file names that a sink must not use.
    public static let reserved = [
        journal, journalDraft, earlierJournal, earlierJournalDraft, earlierJournalCopy, lock,
        adopted,
        adoptedDraft, people, peopleDraft, imports, importsDraft, pendingImports, crashNote,
        crashes, crashesDraft, hangNote, hangNoteDraft, links, control, secrets, access,
        accessDraft, deletions, restoreDraft, restoreComplete, uploads,
    ]

    /// Resolves a path of the configuration relative to a directory.
    public static func resolve(_ path: String, in folder: String) -> String {
        path.hasPrefix("/") ? path : "\(folder)/\(path)"
    }
}
