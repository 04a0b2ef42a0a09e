import DBus
import GatewayTesting

/// A program on the bus that is not bluetoothd.
actor BusStranger {
    private let loop: BusLoop
    private let address: String
    private var bus: MessageBus?

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    init(address: String) throws {
        self.address = address
        loop = try BusLoop(label: "stranger")
    }

    /// Calls a method of an agent about a device; returns the name of the error.
    func call(_ agent: FakeAgent, _ member: String, of device: String) async -> String {
        let call = BusCall(
            agent.sender, agent.path, "org.bluez.Agent1", member,
            [.objectPath(FakeBlueZ.devicePath(device))])
        let bus: MessageBus
        do {
            bus = try self.bus ?? MessageBus(address: address, on: loop) { _ in }
        } catch {
            return "\(error)"
        }
        self.bus = bus
        let result = await withCheckedContinuation { done in
            bus.call(call, timeoutSeconds: 30) { done.resume(returning: $0) }
        }
        switch result {
        case .success: return "none"
        case .failure(.remote(let name, _)): return name
        case .failure(let error): return "\(error)"
        }
    }
}
