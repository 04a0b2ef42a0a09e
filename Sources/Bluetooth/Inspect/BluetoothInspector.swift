import DBus
public import GatewayCore
public import Platform

/// Connects one device and shows everything that it offers and says.
public struct BluetoothInspector: Sendable {
    /// What there is to show.
    public enum Event: Hashable, Sendable {
        /// The device is looked for.
        case looking
        /// The device was heard and is connected; this is what it calls itself.
        case connecting(name: String?)
        /// The link is there; this is what the device calls itself and offers.
        case offers(name: String?, [Service])
        /// A value that was read.
        case read(Characteristic, [UInt8])
        /// A value that the device sent by itself.
        case notified(Characteristic, [UInt8], at: BootInstant)
        /// Something that the device refused.
        case refused(Characteristic, String)
        /// Everything was read and subscribed to; from now on only notifications come.
        case listening
    }

    /// A service with its characteristics.
    public struct Service: Hashable, Sendable {
        /// What kind of service it is.
        public let uuid: BluetoothUUID
        /// Its characteristics, in the order of their handles.
        public let characteristics: [Characteristic]
    }

    /// A characteristic of the device.
    public struct Characteristic: Hashable, Sendable {
        /// What kind of characteristic it is.
        public let uuid: BluetoothUUID
        /// What kind of service it belongs to.
        public let service: BluetoothUUID
        /// What can be done with it, in BlueZ's words and in alphabetical order: `notify`, `read`.
        public let flags: [String]
        /// Tells it from others of its kind on this device.
        let path: String
    }

    /// What makes a device heard, in words.
    public static let silenceRemedy = "switch it on, bring it nearer, and end other links to it"

    private let address: BluetoothAddress
    private let busAddress: String?
    private let clock: any GatewayClock

    /// Makes an inspector of the device with this address.
    public init(address: BluetoothAddress, busAddress: String?, clock: any GatewayClock) {
        self.address = address
        self.busAddress = busAddress
        self.clock = clock
    }

    /// Works until the link ends or the task is cancelled.
    ///
    /// - Parameter take: Is given what there is to show, in order.
    /// - Throws: ``LinkError`` when the device cannot be connected or the link is lost;
    ///   `CancellationError` when the task is cancelled.
    public func run(taking take: @Sendable ([Event]) async -> Void) async throws {
        do {
            let machine = InspectMachine(address: address, policy: LinkPolicy())
            let client = try BlueZClient(machine, address: busAddress, clock: clock)
            try await client.run { outputs, _ in await take(outputs) }
        } catch let error as BusError {
            throw BlueZTrouble.bus(error)
        }
    }
}
