package import Advertisements
package import Bluetooth
import GatewayCore
package import GatewayHost
package import Serial

/// The Bluetooth devices in range and the serial ports of the system.
package struct DeviceList: Sendable {
    /// A Bluetooth device with its matching profiles and its adoption state.
    struct Row: Sendable {
        let device: ScannedDevice
        /// The names of the matching profiles.
        let matchingProfiles: [String]
        /// The names of the formats that its advertisements have.
        let matchingFormats: [String]
        let adoption: AdoptionState
    }

    /// The adoption state of a device or port.
    struct AdoptionState: Hashable, Sendable {
        /// `adopted`, or `configured` when a source of the configuration names it.
        var state: String?
        var person: String?
        /// The name that the user has given it.
        var name: String?
    }

    /// The serial ports.
    package var ports: [SerialPortDescription] = []
    private var devices: [BluetoothAddress: ScannedDevice] = [:]
    private let plan: GatewayPlan
    private let profiles: [any GATTProfile]
    private let formats: [any AdvertisementFormat]
    private let protocols: [SerialProtocolFactory]

    /// Creates a list without Bluetooth devices.
    package init(
        plan: GatewayPlan, profiles: [any GATTProfile], formats: [any AdvertisementFormat],
        protocols: [SerialProtocolFactory]
    ) {
        self.plan = plan
        self.profiles = profiles
        self.formats = formats
        self.protocols = protocols
    }

    /// Whether there is no device and no port.
    var isEmpty: Bool { devices.isEmpty && ports.isEmpty }

    /// Updates the list with an event of the scan.
    mutating func update(with event: BluetoothScanner.Event) {
        switch event {
        case .found(let device): devices[device.address] = device
        case .lost(let address): devices[address] = nil
        case .problem: break
        }
    }

    /// The devices: adopted ones first, then those that can be read, by signal strength.
    var rows: [Row] {
        devices.values.map { device in
            Row(
                device: device,
                matchingProfiles: profiles.filter { device.services.contains($0.service) }.map(
                    \.name),
                matchingFormats: formats.filter {
                    $0.recognizes(device.advertised, of: device.address)
                }.map(\.name),
                adoption: adoption(of: device.address.description))
        }.sorted { $0.rank > $1.rank }
    }

    /// Returns the adoption state of an address or port.
    func adoption(of identifier: String) -> AdoptionState {
        let binding = plan.configuration.people.binding(of: identifier)
        var adoption = AdoptionState(person: binding?.person, name: binding?.name)
        if DeviceIdentifier(identifier).map({ plan.adopted[$0] != nil }) == true || binding != nil {
            adoption.state = "adopted"
        } else if plan.claims.contains(where: { $0.claim.named.contains(identifier) }) {
            adoption.state = "configured"
        }
        return adoption
    }

    /// Returns the protocols that recognise the device of a port.
    func matchingProtocols(of port: SerialPortDescription) -> [String] {
        protocols.filter { $0.recognises(port) }.map(\.use)
    }
}

extension DeviceList.Row {
    fileprivate var rank: (Int, Int, Int, String) {
        (
            adoption.state == nil ? 0 : 1,
            matchingProfiles.isEmpty && matchingFormats.isEmpty ? 0 : 1,
            device.signalStrength ?? .min,
            device.address.description
        )
    }
}
