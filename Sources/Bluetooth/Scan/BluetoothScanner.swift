import DBus
public import GatewayCore

/// A device that is around, or that bluetoothd remembers.
public struct ScannedDevice: Hashable, Sendable {
    /// Its address.
    public let address: BluetoothAddress
    /// Where the address comes from.
    public let addressKind: BluetoothAddress.Kind
    /// The name that it calls itself.
    public let name: String?
    /// How strong its signal is, in dBm; nil when it is not heard now.
    public let signalStrength: Int?
    /// The services that it says it has.
    public let services: Set<BluetoothUUID>
    /// Whether this machine has a link to it.
    public let isConnected: Bool
    /// Whether it is paired with this machine.
    public let isPaired: Bool
    /// The adapter that hears it best: `hci0`.
    public let adapter: String

    /// Makes a device as a scan shows it.
    public init(
        address: BluetoothAddress, addressKind: BluetoothAddress.Kind = .public,
        name: String? = nil, signalStrength: Int? = nil,
        services: Set<BluetoothUUID> = [], isConnected: Bool = false, isPaired: Bool = false,
        adapter: String
    ) {
        self.address = address
        self.addressKind = addressKind
        self.name = name
        self.signalStrength = signalStrength
        self.services = services
        self.isConnected = isConnected
        self.isPaired = isPaired
        self.adapter = adapter
    }
}

/// Looks which Bluetooth devices are around, without connecting any.
public struct BluetoothScanner: Sendable {
    /// What a scan has to say.
    public enum Event: Hashable, Sendable {
        /// A device is there, or something about it is new.
        case found(ScannedDevice)
        /// A device is not heard any more.
        case lost(BluetoothAddress)
        /// Nothing can be found, for this reason; nil when that is over.
        case trouble(LinkError?)
    }

    private let busAddress: String?
    private let clock: any GatewayClock

    /// Makes a scanner that talks to the bluetoothd of a bus, the system's when the address is nil.
    public init(busAddress: String?, clock: any GatewayClock) {
        self.busAddress = busAddress
        self.clock = clock
    }

    /// Looks until the task is cancelled.
    ///
    /// - Parameter take: Is given what there is to say, in order.
    /// - Throws: ``LinkError`` when there is no bus; `CancellationError` when the task is cancelled.
    public func run(taking take: @Sendable ([Event]) async -> Void) async throws {
        do {
            let client = try BlueZClient(ScanMachine(), address: busAddress, clock: clock)
            try await client.run { outputs, _ in
                await take(
                    outputs.map { output in
                        switch output {
                        case .found(let device): .found(device)
                        case .lost(let address): .lost(address)
                        case .trouble(let trouble):
                            .trouble(trouble?.error(isBlocked: RadioBlock.read()))
                        }
                    })
            }
        } catch let error as BusError {
            throw BlueZTrouble.bus(error)
        }
    }
}
