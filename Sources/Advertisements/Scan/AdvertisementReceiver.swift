package import Bluetooth
import DBus
package import GatewayCore

/// Receives the advertisements of Bluetooth LE devices, without connecting to any.
package struct AdvertisementReceiver<Listener: AdvertisementListener>: Sendable {
    private let selection: BluetoothSelection
    private let parts: Set<AdvertisementPart>
    private let busAddress: String?
    private let context: ComponentContext

    /// Makes a receiver of these parts of the advertisements of the selected devices.
    package init(
        _ selection: BluetoothSelection, parts: Set<AdvertisementPart>, busAddress: String?,
        context: ComponentContext
    ) {
        self.selection = selection
        self.parts = parts
        self.busAddress = busAddress
        self.context = context
    }

    /// Receives until the task is cancelled; the listener's reports go to the inlet.
    ///
    /// - Throws: ``LinkError`` when the bus is unavailable; `CancellationError` on cancellation.
    package func run(_ listener: Listener, into inlet: any ReadingInlet) async throws {
        let machine = ReceiverMachine(listener, selection: selection, parts: parts)
        let problems = SourceProblems(inlet: inlet, context: context)
        defer { problems.end() }
        do {
            let client = try BlueZClient(
                machine, address: busAddress, clock: context.clock, servedBy: context.poller,
                malformed: context.log.malformedValue)
            let probe = context.probe(of: client)
            defer { withExtendedLifetime(probe) {} }
            try await client.run { outputs, lost in
                if lost > 0 { context.log.droppedValues(lost) }
                for output in outputs {
                    switch output {
                    case .report(let report): await inlet.report(report)
                    case .problem(let problem): await problems.show(problem)
                    case .filterRefused(let adapter, let reason, let count):
                        context.log.filterRefused(adapter, reason, count)
                    case .replaced(let count): context.log.replacedDevices(count)
                    }
                }
            }
        } catch let error as BusError {
            throw BlueZProblem.bus(error)
        }
    }
}
