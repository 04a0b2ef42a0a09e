public import Bluetooth
import DBus
public import GatewayCore
import Platform

/// A device in range, or one that bluetoothd remembers.
public struct ScannedDevice: Hashable, Sendable {
    /// The address of the device.
    public let address: BluetoothAddress
    /// The address type: public or random.
    public let addressKind: BluetoothAddress.Kind
    /// The name that the device advertises.
    public let name: String?
    /// The signal strength in dBm; nil when it is not received now.
    public let signalStrength: Int?
    /// The services that the device advertises.
    public let services: Set<BluetoothUUID>
    /// The data of the parts of its last advertisements.
    public let advertised: [AdvertisementPart: [UInt8]]
    /// Whether it is connected to this machine.
    public let isConnected: Bool
    /// Whether it is paired with this machine.
    public let isPaired: Bool
    /// The adapter with the strongest signal: `hci0`.
    public let adapter: String

    /// Makes a device as a scan shows it.
    public init(
        address: BluetoothAddress, addressKind: BluetoothAddress.Kind = .public,
        name: String? = nil, signalStrength: Int? = nil,
        services: Set<BluetoothUUID> = [], advertised: [AdvertisementPart: [UInt8]] = [:],
        isConnected: Bool = false, isPaired: Bool = false, adapter: String
    ) {
        self.address = address
        self.addressKind = addressKind
        self.name = name
        self.signalStrength = signalStrength
        self.services = services
        self.advertised = advertised
        self.isConnected = isConnected
        self.isPaired = isPaired
        self.adapter = adapter
    }
}

/// Scans for Bluetooth devices in range, without connecting to any.
public struct BluetoothScanner: Sendable {
    /// An event of a scan.
    public enum Event: Hashable, Sendable {
        /// A device was seen, or its properties changed.
        case found(ScannedDevice)
        /// A device is no longer in range.
        case lost(BluetoothAddress)
        /// A problem that prevents scanning; nil when it is solved.
        case problem(LinkError?)
    }

    private let busAddress: String?
    private let clock: any GatewayClock

    /// Makes a scanner for the bluetoothd of a bus; nil is the system bus.
    public init(busAddress: String?, clock: any GatewayClock) {
        self.busAddress = busAddress
        self.clock = clock
    }

    /// Scans until the task is cancelled.
    ///
    /// - Parameter handler: Receives the events, in order.
    /// - Throws: ``LinkError`` when the bus is unavailable; `CancellationError` on cancellation.
    public func run(handler take: @Sendable ([Event]) async -> Void) async throws {
        do {
            let client = try BlueZClient(ScanMachine(), address: busAddress, clock: clock)
            try await client.run { outputs, _ in
                await take(
                    outputs.map { output in
                        switch output {
                        case .found(let device): .found(device)
                        case .lost(let address): .lost(address)
                        case .problem(let problem):
                            .problem(problem?.error(radioBlock: RadioBlock.read()))
                        }
                    })
            }
        } catch let error as BusError {
            throw BlueZProblem.bus(error)
        }
    }
}
