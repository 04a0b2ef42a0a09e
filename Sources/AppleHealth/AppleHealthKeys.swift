import HealthModel

/// The metadata keys of an exported record for what the format cannot hold.
///
/// Other programs see metadata of an unknown key. When the export is read again, the entries give
/// the record its id, its times and the kinds of its metadata back, and are no metadata of it.
enum AppleHealthKeys {
    static let id = "PulsegateID"
    static let start = "PulsegateStart"
    static let end = "PulsegateEnd"
    static let activity = "PulsegateActivity"
    /// The metadata whose kinds do not follow from their keys, as JSON.
    static let metadata = "PulsegateMetadata"

    static let all = [id, start, end, activity, metadata]
}
