package import DBus

/// A program on the bus that is neither bluetoothd nor the gateway.
package actor BusStranger {
    private let loop: BusLoop
    private let address: String
    private var bus: MessageBus?

    /// The loop of its bus.
    package nonisolated var unownedExecutor: UnownedSerialExecutor {
        loop.asUnownedSerialExecutor()
    }

    /// Makes a program that connects with its first call.
    package init(address: String) throws {
        self.address = address
        loop = try BusLoop(label: "stranger")
    }

    /// Calls a method; returns the name of the error, or `none`.
    package func call(_ call: BusCall) async -> String {
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
