import DBus
import GatewayCore
import Platform

/// Finds out whether the system bus itself answers, which must work before bluetoothd can.
actor BusPing {
    /// The time, in seconds, that the bus may take for the connection and for the answer.
    static let limitSeconds = 2.0
    private static let bus = "org.freedesktop.DBus"

    private let loop: BusLoop
    private var connection: MessageBus?

    /// The loop of its connection.
    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    private init() throws(BusError) {
        loop = try BusLoop(label: "bus-ping")
    }

    /// Whether the bus takes a connection, and does not answer.
    static func isSilent(_ address: String?, clock: any GatewayClock) async -> Bool {
        guard let ping = try? BusPing() else { return false }
        let isSilent = await Deadline(seconds: 2 * limitSeconds, clock: clock).value {
            await ping.isSilent(address)
        }
        return isSilent ?? true
    }

    private func isSilent(_ address: String?) async -> Bool {
        let connected: MessageBus
        do throws(BusError) {
            connected = try MessageBus(
                address: address, on: loop, setUpSeconds: Self.limitSeconds
            ) { _ in }
        } catch {
            return false
        }
        connection = connected
        let call = BusCall(Self.bus, "/org/freedesktop/DBus", Self.bus, "GetId")
        let result = await withCheckedContinuation { done in
            connected.call(call, timeoutSeconds: Self.limitSeconds) { done.resume(returning: $0) }
        }
        connection = nil
        // An error is an answer too.
        switch result {
        case .success, .failure(.remote): return false
        case .failure: return true
        }
    }
}
