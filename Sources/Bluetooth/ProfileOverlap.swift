/// A characteristic that two profiles of one service read, of which the second gets no values.
package struct ProfileOverlap: Hashable, Sendable {
    /// The profile that gets the values.
    package let reader: String
    /// The profile that gets none.
    package let ignored: String
    package let characteristic: BluetoothUUID

    /// The overlaps of profiles in their order, one for each profile that gets less than it names.
    package static func all(of profiles: [any GATTProfile]) -> [ProfileOverlap] {
        profiles.indices.compactMap { index in
            let profile = profiles[index]
            for other in profiles[..<index] where other.service == profile.service {
                let named = other.subscriptions + other.reads
                let shared = (profile.subscriptions + profile.reads).first(where: named.contains)
                guard let shared else { continue }
                return ProfileOverlap(
                    reader: other.name, ignored: profile.name, characteristic: shared)
            }
            return nil
        }
    }

    /// What `check` notes.
    package var note: String {
        "`\(ignored)` gets no values of \(characteristic.shortest), which `\(reader)` of the same "
            + "service reads first; name the one to use in `profiles`"
    }
}
