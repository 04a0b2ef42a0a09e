import GatewayCore
import GatewayHost
import HealthModel
import SQLiteStore

/// Finds out which adopted devices were seen lately, from the store and the running gateway.
struct DevicesCheck: Sendable {
    /// The time, in seconds, that the store may take.
    private static let limitSeconds = 10.0

    let plan: GatewayPlan
    let report: StatusReport?
    let now: Instant
    let clock: any GatewayClock

    /// The facts; none when the store cannot tell.
    func facts() async -> DeviceFacts {
        let start = now.adding(
            nanoseconds: -Int64(DeviceFacts.silentDays) * 24 * 3_600 * 1_000_000_000)
        let old = plan.adopted.devices.filter { $0.since < start }
        guard !old.isEmpty, let stored = await stored(since: start) else { return DeviceFacts() }
        let received = Set(
            (report?.devices ?? []).filter { $0.silentSeconds != nil }.map(\.identifier))
        return DeviceFacts(
            devices: old.map { device in
                let identifier = device.identifier.description
                return DeviceFacts.Device(
                    identifier: identifier, name: device.name,
                    isSeen: stored.contains(identifier) || received.contains(identifier))
            })
    }

    /// The devices in the store; nil when it cannot be read.
    private func stored(since start: Instant) async -> Set<String>? {
        guard
            let file = try? StoreFile(ifIn: plan.file, plan.folder, usesConfiguredSinks: true)
        else { return nil }
        let devices = await Deadline(seconds: Self.limitSeconds, clock: clock).value {
            () async -> Set<String>? in
            do {
                guard let store = try file.openIfCreated() else { return [] }
                return try await store.devices(seenSince: start)
            } catch {
                return nil
            }
        }
        return devices ?? nil
    }
}
