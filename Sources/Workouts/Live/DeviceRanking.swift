import GatewayCore
import HealthModel

/// The devices that measure one thing, and which of them is preferred.
///
/// First those that somebody called primary, then those without a role, then those called backup; among
/// equals the one that was heard first.
struct DeviceRanking: Sendable {
    struct Known: Sendable {
        let identifier: String
        var name: String?
        let role: People.Role?
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

    /// More devices of one person are not listened to, but for those that somebody gave a role.
    static let maximumDeviceCount = 16

    private(set) var devices: [Known] = []

    static func identifier(of device: Device?) -> String {
        device?.localIdentifier ?? device?.name ?? ""
    }

    /// The place of a device in ``devices``; nil when it is unknown.
    func index(of device: Device?) -> Int? {
        let identifier = Self.identifier(of: device)
        return devices.firstIndex { $0.identifier == identifier }
    }

    /// Notes that a device was heard, and answers with its place; nil when there are too many.
    mutating func hear(
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

    func isBetter(_ left: Int, than right: Int) -> Bool {
        devices[left].order < devices[right].order
    }

    /// Whether a device only stands in for another one.
    func isBackup(_ index: Int) -> Bool {
        switch devices[index].role {
        case .primary: false
        case .backup: true
        case nil: devices.indices.contains { $0 != index && isBetter($0, than: index) }
        }
    }

    /// What people call the device; nil when it has no name.
    func name(of index: Int) -> String? {
        let device = devices[index]
        return device.name ?? (device.identifier.isEmpty ? nil : device.identifier)
    }
}
