import Bluetooth
import DBus
import GatewayCore
import Platform
import Synchronization

/// Asks bluetoothd for its adapters, and changes nothing.
struct AdapterLookUp: Sendable {
    /// The time, in seconds, that bluetoothd may take.
    static let limitSeconds = 5.0

    let busAddress: String?
    let clock: any GatewayClock

    /// The adapters, or why bluetoothd cannot be used.
    func adapters() async -> Result<[BluetoothFacts.Adapter], FailureReason> {
        let answer = await Deadline(seconds: Self.limitSeconds, clock: clock).value { await ask() }
        if let answer { return answer }
        let isBus = await BusPing.isSilent(busAddress, clock: clock)
        return .failure(FailureReason(isBus ? .silentBus : .daemon(BlueZProblem.unresponsive)))
    }

    /// An error around the reason.
    struct FailureReason: Error {
        let failure: BluetoothFacts.Failure

        init(_ failure: BluetoothFacts.Failure) { self.failure = failure }
    }

    private func ask() async -> Result<[BluetoothFacts.Adapter], FailureReason> {
        let found = Mutex<AdapterMachine.Output?>(nil)
        do {
            let client = try BlueZClient(AdapterMachine(), address: busAddress, clock: clock)
            try await client.run { outputs, _ in found.withLock { $0 = outputs.last } }
        } catch let error as BusError {
            return .failure(FailureReason(.bus(BlueZProblem.bus(error))))
        } catch let error as LinkError {
            switch found.withLock({ $0 }) {
            case .adapters(let adapters): return .success(adapters)
            case .unavailable(let error): return .failure(FailureReason(.daemon(error)))
            case nil: return .failure(FailureReason(.bus(error)))
            }
        } catch {
            // Cancelled at the deadline.
        }
        return .failure(FailureReason(.daemon(BlueZProblem.unresponsive)))
    }
}

/// Ends with the adapters as soon as the objects of bluetoothd are known.
private struct AdapterMachine: BlueZMachine {
    enum Output: BlueZOutput {
        case adapters([BluetoothFacts.Adapter])
        case unavailable(LinkError)

        var isDroppable: Bool { false }
    }

    var wakeTime: BootInstant? { nil }

    mutating func handle(
        _ event: BlueZEvent<Never>, in tree: ManagedObjects, at now: BootInstant
    ) -> [BlueZAction<Never, Output>] {
        switch event {
        case .available:
            let adapters = tree.adapters.map {
                BluetoothFacts.Adapter(name: $0.name, isPowered: $0.isPowered)
            }
            return [.output(.adapters(adapters)), .end(LinkError("the adapters were looked up"))]
        case .unavailable(let error): return [.output(.unavailable(error)), .end(error)]
        default: return []
        }
    }
}
