import DBus
import GatewayCore
import Platform

/// The gateway's agent: it accepts the pairing of devices that are adopted or selected by their
/// address, without a passkey, and nothing else.
///
/// It is asked when a device rejects a request because the link is not encrypted: bluetoothd then
/// pairs the device by itself. With `devices: "any"` a device may belong to anybody, so the operator
/// pairs it.
extension CentralMachine {
    static var agentPath: String? { BlueZAgent.path }

    /// The call that registers the agent with a bluetoothd that has started.
    var agentRegistration: Action { .call(.registerAgent, BlueZAgent.registration(.nothing)) }

    /// Answers a question of bluetoothd.
    mutating func handle(
        _ event: AgentEvent, in tree: ManagedObjects, at now: BootInstant
    ) -> [Action] {
        guard case .asked(let question, let number) = event else { return [] }
        let address = tree.device(at: question.device)?.address
        if question.kind == .authorization, let address, selection.isNamed(address) {
            return [.answer(number, .accept)]
        }
        guard question.kind != .service, let address, linkPaths[address] == question.device
        else { return [.answer(number, .reject)] }
        return [.answer(number, .reject)]
            + move(address, in: tree, at: now) { $0.pairingRejected(at: now) }
    }
}
