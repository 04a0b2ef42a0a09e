import HealthModel

/// The metadata keys of an exported record for what the format cannot hold.
///
/// Other programs see metadata of an unknown key. When the export is read again, the entries give
/// the record its id and its times back, and are no metadata of it.
enum AppleHealthKeys {
    static let id = "PulsegateID"
    static let start = "PulsegateStart"
    static let end = "PulsegateEnd"
    static let activity = "PulsegateActivity"

    static let all = [id, start, end, activity]
}
