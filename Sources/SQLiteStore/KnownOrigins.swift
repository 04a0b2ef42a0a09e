package import HealthModel
import SQLite

/// The devices and sources of the samples of a store, oldest first.
package struct KnownOrigins: Sendable {
    package var devices: [Device] = []
    package var sources: [String] = []

    package init(devices: [Device] = [], sources: [String] = []) {
        self.devices = devices
        self.sources = sources
    }
}

extension SQLiteStore {
    /// Returns the devices and sources of the samples of the store.
    package func knownOrigins() throws -> KnownOrigins {
        var known = KnownOrigins()
        let columns = DeviceColumns.names.joined(separator: ", ")
        try connection.prepare("SELECT \(columns) FROM device ORDER BY id").forEachRow { row in
            known.devices.append(DeviceColumns.device(of: row))
        }
        try connection.prepare("SELECT name FROM source ORDER BY id").forEachRow { row in
            if let name = row.text(at: 0) { known.sources.append(name) }
        }
        return known
    }
}
