import Bluetooth
import DBus
import GatewayCore
import Platform

/// The state machine of `pulsegate pair`: finds a device and pairs it, with an agent that asks the
/// user.
struct PairMachine: BlueZMachine {
    enum Request: Hashable, Sendable {
        case registerAgent
        case discovery(adapter: String, Discovery.Step)
        case pair
        case cancelPairing
        case disconnect
    }

    /// A question for the user.
    struct Question: Hashable, Sendable {
        let number: Int
        let text: PairingQuestion
    }

    enum Output: Hashable, BlueZOutput {
        case event(BluetoothPairer.Event)
        case asked(Question)

        var isDroppable: Bool { false }
    }

    enum Command: Sendable {
        /// Answer the question with this number.
        case answer(Int, AgentAnswer)
    }

    typealias Action = BlueZAction<Request, Output>

    enum State: Hashable {
        case starting
        case scanning
        case pairing(path: String)
        /// Waits for the next attempt.
        case retrying(path: String, at: BootInstant)
        case paired(path: String)
        case ended
    }

    static var agentPath: String? { BlueZAgent.path }

    /// The pause before another attempt.
    static let retrySeconds = 1.0
    /// The timeout of `Disconnect` and `CancelPairing`.
    static let endSeconds = 5.0

    let address: BluetoothAddress
    let seconds: Double
    let capability: BlueZAgent.Capability
    var state = State.starting
    var discoveries: [String: Discovery] = [:]
    var deadline: BootInstant?
    /// Whether the link was made by our `Pair`, or may still be: only such a link is ended here.
    var isOwnLink = false

    init(address: BluetoothAddress, seconds: Double, capability: BlueZAgent.Capability) {
        self.address = address
        self.seconds = seconds
        self.capability = capability
    }

    var wakeTime: BootInstant? {
        let discovery = discoveries.values.compactMap(\.wakeTime).min()
        switch state {
        case .ended, .paired: return nil
        case .retrying(_, let time): return .earlier(time, deadline)
        case .starting, .scanning, .pairing: return .earlier(discovery, deadline)
        }
    }

    mutating func handle(
        _ event: BlueZEvent<Request>, in tree: ManagedObjects, at now: BootInstant
    ) -> [Action] {
        guard state != .ended else { return [] }
        if case .stop = event { return stop(in: tree) }
        if case .paired = state { return [] }
        let actions: [Action] =
            switch event {
            case .available: begin(in: tree, at: now)
            case .unavailable(let error), .closed(let error): end(error)
            case .changed(let change): handle(change, in: tree, at: now)
            case .finished(let request, let result): finish(request, result, in: tree, at: now)
            case .agent(let event): handle(event)
            case .timer: timerFired(in: tree, at: now)
            case .stop: []
            }
        return actions + updateDiscoveries(in: tree, at: now)
    }

    mutating func apply(
        _ command: Command, in tree: ManagedObjects, at now: BootInstant
    ) -> [Action] {
        switch command {
        case .answer(let number, let answer): [.answer(number, answer)]
        }
    }

    /// Registers the agent, and then searches the device.
    private mutating func begin(in tree: ManagedObjects, at now: BootInstant) -> [Action] {
        guard tree.adapters.contains(where: \.isPowered) else {
            let problem: CentralProblem =
                tree.adapters.first.map { .adapterOff($0.name) } ?? .noAdapter(named: nil)
            return end(problem.error(radioBlock: nil))
        }
        deadline = now.adding(seconds: seconds)
        return [.call(.registerAgent, BlueZAgent.registration(capability))]
    }

    /// Searches the device after the agent is registered.
    mutating func search(in tree: ManagedObjects) -> [Action] {
        state = .scanning
        return [.output(.event(.scanning))] + tree.devices.flatMap { consider($0, in: tree) }
    }

    /// Pairs the device as soon as it is seen, unless it is paired.
    ///
    /// A pairing counts when its adapter is switched on, and the only one or one that receives the
    /// device: the gateway cannot use any other.
    mutating func consider(_ device: BlueZDevice, in tree: ManagedObjects) -> [Action] {
        guard state == .scanning, device.address == address else { return [] }
        let powered = Set(tree.adapters.filter(\.isPowered).map(\.path))
        let paired = tree.devices.first { other in
            other.address == address && other.isPaired && powered.contains(other.adapterPath)
                && (powered.count == 1 || other.isInRange)
        }
        if let paired { return finish(paired.path, name: paired.name, isNew: false) }
        guard device.isInRange, !device.isPaired, powered.contains(device.adapterPath) else {
            return []
        }
        isOwnLink = !device.isConnected
        state = .pairing(path: device.path)
        return [.output(.event(.pairing(name: device.name))), pair(device.path)]
    }

    /// The call that pairs the device; the user may take as long as the deadline allows.
    func pair(_ path: String) -> Action {
        .call(.pair, call("Pair", on: path, seconds + Self.endSeconds))
    }

    /// Reports the success; the program stops the machine then.
    mutating func finish(_ path: String, name: String?, isNew: Bool) -> [Action] {
        state = .paired(path: path)
        return [.output(.event(.paired(name: name, isNew: isNew)))]
    }

    func call(_ member: String, on path: String, _ seconds: Double) -> BlueZCall {
        BlueZCall(
            path: path, interface: BlueZName.device, member: member, timeoutSeconds: seconds)
    }
}
