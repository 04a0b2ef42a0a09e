package import GatewayCore
import HealthModel
package import JSON

/// A device whose data was being decoded when the gateway crashed:
/// `"/dev/ttyUSB0":{"count":2,"version":"0.1.0"}`.
package struct CrashedDevice: PersistedEntry {
    /// The number of crashes from which on the device is in quarantine.
    package static let quarantineCount = 2
    package static let words = (one: "device", several: "devices")
    private static let countKey = "count"
    private static let versionKey = "version"

    /// The local identifier of the device.
    package let identifier: String
    /// The number of crashes of this version.
    package let count: Int
    /// The version of the gateway that crashed.
    package let version: String

    package var persistedKey: String { identifier }
    package var persistedValue: JSONValue {
        .object([
            Self.countKey: .number(Double(count)), Self.versionKey: .string(version),
        ])
    }

    /// Reads an entry from its key and value.
    package static func read(
        _ key: String, _ node: ConfigurationNode
    ) throws(ConfigurationError) -> CrashedDevice {
        let object = try node.object(keys: [countKey, versionKey])
        return CrashedDevice(
            identifier: key, count: try object.require(countKey).integer(in: 1...1_000_000),
            version: try object.require(versionKey).string())
    }
}

extension CrashedDevice: FileEntry {
    package static let fileNames = (file: DataFiles.crashes, draft: DataFiles.crashesDraft)
    package static let remedy = "remove the file; devices that crashed the gateway are read again"
    package static let tooLarge = "remove the file"
}

/// The file of the devices that crashed the gateway.
package typealias CrashedDevicesFile = PersistedFile<CrashedDevice>

extension CrashedDevicesFile {
    /// Creates the file of a data directory; its entries contain no types.
    package init(crashesIn folder: DataDirectory) {
        self.init(folder: folder, types: .standard)
    }

    /// Counts a crash, and removes what other versions have counted.
    ///
    /// - Returns: The devices in quarantine.
    package func note(
        crashOf device: String?, version: String
    ) async throws(HostError) -> [String] {
        try await change { devices throws(HostError) in
            for entry in devices.entries where entry.version != version {
                devices.remove(entry.identifier)
            }
            if let device {
                let count = (devices[device]?.count ?? 0) + 1
                devices.insert(
                    CrashedDevice(identifier: device, count: count, version: version))
            }
            return devices.entries.filter { $0.count >= CrashedDevice.quarantineCount }
                .map(\.identifier)
        }
    }

    /// Releases a device from quarantine; returns whether it was there.
    package func release(_ device: String) async throws(HostError) -> Bool {
        guard try read()[device] != nil else { return false }
        return try await change { devices throws(HostError) in
            let count = devices[device]?.count ?? 0
            devices.remove(device)
            return count >= CrashedDevice.quarantineCount
        }
    }
}
