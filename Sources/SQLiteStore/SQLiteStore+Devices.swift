package import HealthModel
import SQLite

extension SQLiteStore {
    /// The local identifiers of the devices that have measured or reported anything since a time.
    ///
    /// - Throws: `SQLiteError`; a store of an earlier version has no answer, which is nil.
    package func devices(seenSince time: Instant) throws -> Set<String>? {
        guard try connection.userVersion >= SampleConversion.version else { return nil }
        // By type, because the index of samples begins with it.
        let find = try connection.prepare(
            """
            SELECT DISTINCT local_identifier FROM device WHERE local_identifier IS NOT NULL
            AND id IN (
                SELECT device FROM event WHERE at_ns >= ?1
                UNION SELECT o.device FROM type t CROSS JOIN sample s
                    ON s.type = t.id AND s.start_ns >= ?1 CROSS JOIN origin o ON o.id = s.origin)
            """)
        try find.bind(integer: time.nanosecondsSince1970, at: 1)
        var devices: Set<String> = []
        while try find.step() {
            if let identifier = find.text(at: 0) { devices.insert(identifier) }
        }
        return devices
    }
}
