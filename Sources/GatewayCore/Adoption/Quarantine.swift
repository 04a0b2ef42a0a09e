import Synchronization

/// The devices that are not read, because decoding their bytes has crashed the gateway repeatedly.
public final class Quarantine: Sendable {
    private struct State {
        var devices: Set<String> = []
        var waiting: [(device: String, AsyncStream<Void>.Continuation)] = []
    }

    private let state = Mutex(State())

    /// Makes a quarantine without devices.
    public init() {}

    /// Why a device in quarantine is not read, with the remedy.
    public static func reason(for device: String) -> String {
        // Other devices cannot be adopted.
        let remedy =
            DeviceIdentifier(device) != nil
            ? "read it again with `pulsegate adopt \(device)`"
            : "remove \(DataFiles.crashes) from the data directory and restart the gateway"
        return "decoding its data has crashed the gateway twice; update pulsegate, or \(remedy)"
    }

    /// The devices in quarantine.
    public var devices: Set<String> { state.withLock { $0.devices } }

    /// Whether a device is in quarantine.
    public func contains(_ device: String) -> Bool {
        state.withLock { $0.devices.contains(device) }
    }

    /// Adds devices.
    package func add(_ devices: some Sequence<String>) {
        state.withLock { $0.devices.formUnion(devices) }
    }

    /// Removes a device, which is read again.
    package func release(_ device: String) {
        let released = state.withLock { state in
            state.devices.remove(device)
            let released = state.waiting.filter { $0.device == device }
            state.waiting.removeAll { $0.device == device }
            return released
        }
        for (_, signal) in released { signal.finish() }
    }

    /// Waits until a device is not in quarantine, or until the task is cancelled.
    public func waitForRelease(of device: String) async {
        let (stream, signal) = AsyncStream.makeStream(of: Void.self)
        let isWaiting = state.withLock { state in
            guard state.devices.contains(device) else { return false }
            state.waiting.append((device, signal))
            return true
        }
        guard isWaiting else { return }
        for await _ in stream {}
    }
}
