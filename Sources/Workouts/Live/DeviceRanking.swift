import GatewayCore
import HealthModel

/// The devices that measure one type, ranked by preference.
///
/// Primary devices come first, then those without a role, then backup devices; among equals the one
/// that was seen first.
struct DeviceRanking: Sendable {
    struct Known: Sendable {
        let identifier: String
        var name: String?
        var role: People.Role?
        var firstSeen: Instant

        fileprivate var order: (Int, Instant, String) {
            let place =
                switch role {
                case .primary: 0
                case nil: 1
                case .backup: 2
                }
            return (place, firstSeen, identifier)
        }
    }

    /// The maximum number of devices without a role; more are ignored.
    static let maximumDeviceCount = 16

    private(set) var devices: [Known] = []

    static func identifier(of device: Device?) -> String {
        device?.localIdentifier ?? device?.name ?? ""
    }

    /// The index of a device in ``devices``; nil when it is unknown.
    func index(of device: Device?) -> Int? {
        let identifier = Self.identifier(of: device)
        return devices.firstIndex { $0.identifier == identifier }
    }

    /// Registers that a device was seen, and returns its index; nil when there are too many
    /// devices.
    mutating func register(
        _ device: Device?, at time: Instant, roles: [String: People.Role]
    ) -> Int? {
        if let index = index(of: device) {
            devices[index].firstSeen = min(devices[index].firstSeen, time)
            devices[index].name = device?.name ?? devices[index].name
            return index
        }
        let identifier = Self.identifier(of: device)
        let role = roles[identifier]
        guard role != nil || devices.count < Self.maximumDeviceCount else { return nil }
        devices.append(
            Known(
                identifier: identifier, name: device?.name, role: role,
                firstSeen: time))
        return devices.count - 1
    }

    /// Changes the roles of the devices.
    mutating func assign(_ roles: [String: People.Role]) {
        for index in devices.indices { devices[index].role = roles[devices[index].identifier] }
    }

    /// Removes a device; the indices of those after it change.
    mutating func remove(at index: Int) { devices.remove(at: index) }

    func isBetter(_ left: Int, than right: Int) -> Bool {
        devices[left].order < devices[right].order
    }

    /// Whether a device is used only while better ones are missing.
    func isBackup(_ index: Int) -> Bool {
        switch devices[index].role {
        case .primary: false
        case .backup: true
        case nil: devices.indices.contains { $0 != index && isBetter($0, than: index) }
        }
    }

    /// The name of the device; nil when it has none.
    func name(of index: Int) -> String? {
        let device = devices[index]
        return device.name ?? (device.identifier.isEmpty ? nil : device.identifier)
    }
}
