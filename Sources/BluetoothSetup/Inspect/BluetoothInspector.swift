public import Bluetooth
import DBus
public import GatewayCore
public import Platform

/// Connects one device and reports its services, characteristics and values.
public struct BluetoothInspector: Sendable {
    /// An event of an inspection.
    public enum Event: Hashable, Sendable {
        /// Scanning for the device has started.
        case scanning
        /// The device was seen, and a connection attempt has started.
        case connecting(name: String?)
        /// The device is connected, and its services are resolved.
        case discovered(name: String?, [Service])
        /// A value that was read.
        case read(Characteristic, [UInt8])
        /// A value that the device notified.
        case notified(Characteristic, [UInt8], at: BootInstant)
        /// A read or subscription that failed, with the reason.
        case refused(Characteristic, String)
        /// Everything was read and subscribed to; only notifications follow.
        case listening
    }

    /// A service with its characteristics.
    public struct Service: Hashable, Sendable {
        /// The UUID of the service.
        public let uuid: BluetoothUUID
        /// Its characteristics, in the order of their handles.
        public let characteristics: [Characteristic]
    }

    /// A characteristic of the device.
    public struct Characteristic: Hashable, Sendable {
        /// The UUID of the characteristic.
        public let uuid: BluetoothUUID
        /// The UUID of the service that it belongs to.
        public let service: BluetoothUUID
        /// The flags as BlueZ reports them, in alphabetical order: `notify`, `read`.
        public let flags: [String]
        /// Identifies it among characteristics with the same UUID.
        let path: String
    }

    /// The remedy for a device that was not seen.
    public static let notSeenRemedy =
        "switch it on, move it closer, and disconnect it from other hosts"

    private let address: BluetoothAddress
    private let busAddress: String?
    private let clock: any GatewayClock

    /// Makes an inspector of the device with this address.
    public init(address: BluetoothAddress, busAddress: String?, clock: any GatewayClock) {
        self.address = address
        self.busAddress = busAddress
        self.clock = clock
    }

    /// Runs until the link ends or the task is cancelled.
    ///
    /// - Parameter handler: Receives the events, in order.
    /// - Throws: ``LinkError`` when the device cannot be connected or the link is lost;
    ///   `CancellationError` when the task is cancelled.
    public func run(handler take: @Sendable ([Event]) async -> Void) async throws {
        do {
            let machine = InspectMachine(address: address, policy: LinkPolicy())
            let client = try BlueZClient(machine, address: busAddress, clock: clock)
            try await client.run { outputs, _ in await take(outputs) }
        } catch let error as BusError {
            throw BlueZProblem.bus(error)
        }
    }
}
