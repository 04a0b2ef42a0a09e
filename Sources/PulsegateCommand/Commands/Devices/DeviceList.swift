import Bluetooth
import GatewayCore
import GatewayHost
import Serial

/// What is around, as a scan and the system tell it.
struct DeviceList: Sendable {
    /// A Bluetooth device with what this gateway would do with it.
    struct Row: Sendable {
        let device: ScannedDevice
        /// What reads it: names of profiles.
        let readers: [String]
        let standing: Standing
    }

    /// What the user has said of a device.
    struct Standing: Hashable, Sendable {
        /// `adopted`, or `configured` when a source of the configuration names it.
        var word: String?
        var person: String?
        /// What the user calls it.
        var name: String?
    }

    /// The serial ports.
    var ports: [SerialPortDescription] = []
    private var devices: [BluetoothAddress: ScannedDevice] = [:]
    private let plan: GatewayPlan
    private let profiles: [any GATTProfile]
    private let protocols: [SerialProtocolFactory]

    init(plan: GatewayPlan, profiles: [any GATTProfile], protocols: [SerialProtocolFactory]) {
        self.plan = plan
        self.profiles = profiles
        self.protocols = protocols
    }

    /// Whether nothing is around.
    var isEmpty: Bool { devices.isEmpty && ports.isEmpty }

    /// Notes what a scan has to say.
    mutating func take(_ event: BluetoothScanner.Event) {
        switch event {
        case .found(let device): devices[device.address] = device
        case .lost(let address): devices[address] = nil
        case .problem: break
        }
    }

    /// The devices: those of the user first, then those that something reads, the nearest first.
    var rows: [Row] {
        devices.values.map { device in
            Row(
                device: device,
                readers: profiles.filter { device.services.contains($0.service) }.map(\.name),
                standing: standing(of: device.address.description))
        }.sorted { $0.rank > $1.rank }
    }

    /// What the user has said of an address or a port.
    func standing(of identifier: String) -> Standing {
        let binding = plan.configuration.people.binding(of: identifier)
        var standing = Standing(person: binding?.person, name: binding?.name)
        if DeviceIdentifier(identifier).map({ plan.adopted[$0] != nil }) == true || binding != nil {
            standing.word = "adopted"
        } else if plan.claims.contains(where: { $0.claim.named.contains(identifier) }) {
            standing.word = "configured"
        }
        return standing
    }

    /// The words of the protocols that surely read a port.
    func readers(of port: SerialPortDescription) -> [String] {
        protocols.filter { $0.recognises(port) }.map(\.use)
    }
}

extension DeviceList.Row {
    fileprivate var rank: (Int, Int, Int, String) {
        (
            standing.word == nil ? 0 : 1, readers.isEmpty ? 0 : 1, device.signalStrength ?? .min,
            device.address.description
        )
    }
}
