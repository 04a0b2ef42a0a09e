import HealthModel

/// A file that is imported, by its absolute path.
package struct ImportedFile: Hashable, Sendable {
    /// A hash of the path, so that the store has no name of a file, which may be that of a person.
    package let key: Int64

    /// Names the file at a path with all symbolic links resolved.
    package init(path: String) {
        let id = RecordID.make(
            start: Instant(nanosecondsSince1970: 0), device: path, stream: "import", key: 0)
        key = Int64(bitPattern: id.low)
    }

    /// Names the file of a note in the store.
    package init(key: Int64) { self.key = key }
}
