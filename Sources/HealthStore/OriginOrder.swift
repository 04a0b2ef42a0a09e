package import GatewayCore
package import HealthModel
import SQLite

/// Which of several origins counts, where they have counted the same.
///
/// A device worn as the primary one comes first, then those without a role, then backups, then what has no
/// device, and at last what a person has entered. Of equal ones the one that is new to the store is the
/// best. So the order does not depend on the time that is looked at.
package struct OriginOrder: Sendable {
    private let devices: [Device: Int]
    private let sources: [String: Int]

    /// Orders what a store knows.
    ///
    /// - Parameter role: What a device is worn as, where that is said.
    package init(_ known: KnownOrigins, role: (Device) -> People.Role?) {
        func place(_ device: Device) -> Int {
            switch role(device) {
            case .primary: 0
            case nil: 1
            case .backup: 2
            }
        }
        let places = Dictionary(
            known.devices.map { ($0, place($0)) }, uniquingKeysWith: { first, _ in first })
        // A sort keeps no order of equal ones, so their age decides.
        let order = known.devices.enumerated().sorted {
            let (one, other) = (places[$0.element] ?? 1, places[$1.element] ?? 1)
            return (one, -$0.offset) < (other, -$1.offset)
        }
        devices = Dictionary(
            order.enumerated().map { ($0.element.element, $0.offset) },
            uniquingKeysWith: { first, _ in first })
        sources = Dictionary(
            known.sources.reversed().enumerated().map { ($0.element, order.count + $0.offset) },
            uniquingKeysWith: { first, _ in first })
    }

    /// How good the origin of a sample is; the lowest is the best.
    package func rank(of sample: QuantitySample) -> Int {
        if sample.metadata[.wasUserEntered] == true { return .max }
        if let device = sample.device { return devices[device] ?? .max - 2 }
        return sample.source.flatMap { sources[$0.name] } ?? .max - 1
    }
}

/// The devices and sources whose samples a store has had, the oldest first.
package struct KnownOrigins: Sendable {
    package var devices: [Device] = []
    package var sources: [String] = []

    package init(devices: [Device] = [], sources: [String] = []) {
        self.devices = devices
        self.sources = sources
    }
}

extension HealthStore {
    /// The devices and sources whose samples the store has had.
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
