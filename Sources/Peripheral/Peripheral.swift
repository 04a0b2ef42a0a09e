package import Bluetooth
import DBus
package import GatewayCore

/// What happens to a peripheral.
package enum PeripheralEvent: Hashable, Sendable {
    /// It is advertised by this adapter, and its services are registered.
    case offered(adapter: String)
    /// Why it is not offered; nil when the reason is over.
    ///
    /// A problem of Bluetooth as a whole is in the log of the gateway (``GatewayCore/RadioProblems``).
    case problem(LinkError?, ofRadio: Bool)
    /// Whether a central is subscribed to the characteristic.
    case subscribed(BluetoothUUID, Bool)
}

extension PeripheralEvent: BlueZOutput {
    package var isDroppable: Bool { false }
}

/// A Bluetooth LE peripheral of this machine, through bluetoothd.
package struct Peripheral: Sendable {
    private let client: BlueZClient<PeripheralMachine>
    private let context: ComponentContext

    /// Makes a peripheral that is not offered before it runs.
    ///
    /// - Parameter busAddress: The D-Bus address for bluetoothd; nil for the system bus.
    /// - Throws: ``GatewayCore/LinkError`` when there is no thread for the bus.
    package init(
        _ offer: Offer, busAddress: String?, context: ComponentContext
    ) throws(LinkError) {
        self.context = context
        do {
            client = try BlueZClient(
                PeripheralMachine(offer), address: busAddress, clock: context.clock)
        } catch {
            throw BlueZProblem.bus(error)
        }
    }

    /// Offers the services until the task is cancelled; it can run once.
    ///
    /// - Parameter receive: Receives the events in order.
    /// - Throws: ``GatewayCore/LinkError`` when the bus is unavailable or was lost;
    ///   `CancellationError` on cancellation.
    package func run(_ receive: @Sendable (PeripheralEvent) async -> Void) async throws {
        let radio = context.radioProblems?.member(named: context.name)
        defer { radio?.leave() }
        try await client.run { events, _ in
            for event in events {
                if case .problem(let problem, let isOfRadio) = event {
                    radio?.set(isOfRadio ? problem : nil)
                }
                await receive(event)
            }
        }
    }

    /// Sets the value of a characteristic, and notifies the centrals that are subscribed.
    package func set(_ value: [UInt8], of characteristic: BluetoothUUID) async {
        await client.apply(.set(characteristic, value))
    }
}
