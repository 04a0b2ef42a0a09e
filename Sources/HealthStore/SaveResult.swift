/// What became of a record that was given to a store.
public enum SaveResult: Hashable, Sendable {
    /// It is stored; it replaces earlier versions with its sync identifier.
    case stored
    /// A record with its id is stored already, and remains as it is.
    case alreadyStored
    /// It was deleted before, and is not stored again.
    case deletedBefore
    /// The store has another record with its sync identifier, and with this sync version or a later one.
    case olderVersion
    /// A correlation is not stored, because the id of a member is that of a stored sample of another type or
    /// of another person.
    case memberConflict
    /// It is a deletion: the record that it names is deleted, if it was stored.
    ///
    /// The store that made the deletion leaves it alone: it may have stored the record again since.
    case deleted
}
