import GatewayCore
package import GatewayHost
package import HealthModel
import SQLiteStore

/// The devices that the configuration names, that are adopted, or that have records in the store.
package struct DeviceCatalogue {
    /// A device with what is known of it.
    struct Entry {
        /// What it reported, the newest last; none before its first record.
        var reported: Device?
        /// Its entry in the configuration or among the adopted devices.
        var known: KnownDevice?

        /// The name that was given to it, or that it reported.
        var name: String { known?.binding?.name ?? reported?.name ?? id }
        /// What identifies it for other commands.
        var id: String {
            known?.identifier ?? reported?.localIdentifier ?? reported?.serial
                ?? reported?.name ?? "-"
        }
        var person: String? { known?.binding?.person }
    }

    /// The devices, known ones first.
    private(set) var entries: [Entry] = []
    private var places: [String: Int] = [:]

    /// Joins known devices and those of the store, the oldest first, by identifier.
    package init(known: [KnownDevice], stored: [Device]) {
        for device in known {
            places[Self.key(device.identifier)] = entries.count
            entries.append(Entry(known: device))
        }
        for device in stored { add(device) }
    }

    private mutating func add(_ device: Device) {
        let key = Self.key(
            device.localIdentifier ?? device.serial.map { "serial \($0)" }
                ?? "name \(device.name ?? "") \(device.model ?? "")")
        guard let place = places[key] else {
            places[key] = entries.count
            entries.append(Entry(reported: device))
            return
        }
        entries[place].reported = entries[place].reported?.merging(device) ?? device
    }

    /// Addresses are equal in capital and in small letters.
    private static func key(_ identifier: String) -> String {
        identifier.hasPrefix("/") ? identifier : identifier.uppercased()
    }
}

extension DeviceCatalogue.Entry {
    /// The fields in which a search looks.
    var searchFields: [SearchField] {
        [
            SearchField("name", known?.binding?.name), SearchField("person", person),
            SearchField("source", known?.source), SearchField("format", known?.adopted?.format),
            reported?.localIdentifier == nil ? SearchField("identifier", id) : nil,
        ].compactMap { $0 } + (reported?.searchFields ?? [])
    }
}
