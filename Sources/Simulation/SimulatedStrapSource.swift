public import Bluetooth
public import GatewayCore
import HealthModel
import JSON
import Platform
import Readings

/// A source that reads a ``SimulatedStrap`` without Bluetooth hardware.
///
/// It runs the given profiles like a real link. The receipt time of a notification is the time at which
/// it was due, so the same seed gives the same readings however late the task wakes up.
public struct SimulatedStrapSource: Source {
    /// The local identifier, which is not a Bluetooth address.
    public static let device = "simulated-strap"

    private let profiles: [any GATTProfile]
    private let seed: UInt64
    private let clock: any GatewayClock

    /// Makes a source that reads the strap of this seed with these profiles.
    public init(profiles: [any GATTProfile], seed: UInt64 = 1, clock: any GatewayClock) {
        self.profiles = profiles
        self.seed = seed
        self.clock = clock
    }

    /// Runs the strap until the task is cancelled.
    public func run(into inlet: any ReadingInlet) async throws {
        let start = clock.now()
        let device = Device(name: "Simulated Strap", localIdentifier: Self.device)
        if inlet.recordsTraffic {
            let names = JSONValue.array(profiles.map { .string($0.name) })
            let adapter = DeviceTraffic.adapter(.object(["profiles": names]))
            await inlet.report(DeviceReport(device: Self.device, .traffic(adapter)))
        }
        await inlet.report(DeviceReport(device: Self.device, .opened(device, at: start)))
        let adapter = GATTAdapter(profiles: profiles)
        var link = SimulatedLink(SimulatedStrap(seed: seed), adapter: adapter, inlet: inlet)
        do {
            await link.handle(.opened, at: start)
            while true {
                try Task.checkCancellation()
                let notification = link.strap.nextNotification()
                let time = start.adding(seconds: notification.atSeconds)
                try await clock.sleep(until: time)
                guard adapter.subscriptions.contains(notification.characteristic) else { continue }
                let channel = Channel(notification.characteristic)
                await link.handle(.received(notification.value, on: channel), at: time)
            }
        } catch {
            let closed = DeviceReport.Content.closed(at: clock.now(), reason: "stopped")
            await inlet.report(DeviceReport(device: Self.device, closed))
            throw error
        }
    }
}

/// Performs the actions of an adapter on the strap.
///
/// The adapter uses no timer. Writes are ignored, as for a device without the characteristic.
private struct SimulatedLink {
    var strap: SimulatedStrap
    private var session: AdapterSession
    private let inlet: any ReadingInlet

    init(_ strap: SimulatedStrap, adapter: GATTAdapter, inlet: any ReadingInlet) {
        self.strap = strap
        session = AdapterSession(adapter)
        self.inlet = inlet
    }

    /// Passes an event to the adapter, reports its readings, and performs its reads.
    mutating func handle(_ event: AdapterEvent.Kind, at time: BootInstant) async {
        if inlet.recordsTraffic, case .received(let value, let channel) = event {
            await report(.traffic(.received(value, on: channel, at: time)))
        }
        let outcome = session.handle(event, at: time)
        if !outcome.readings.isEmpty { await report(.readings(outcome.readings)) }
        if !outcome.drops.isEmpty { await report(.dropped(outcome.drops)) }
        for channel in outcome.reads {
            guard let characteristic = BluetoothUUID(channel.name),
                let value = strap.value(of: characteristic)
            else { continue }
            await handle(.received(value, on: channel), at: time)
        }
    }

    private func report(_ content: DeviceReport.Content) async {
        await inlet.report(DeviceReport(device: SimulatedStrapSource.device, content))
    }
}
