import GatewayTesting
import Platform
import Synchronization

/// Changes bytes in the bodies of the messages from bluetoothd.
final class MessageNoise: Sendable {
    private struct State {
        var random: SeededGenerator
        var isStopped = false
    }

    private let state: Mutex<State>

    init(_ random: SeededGenerator) {
        state = Mutex(State(random: random))
    }

    func stop() { state.withLock { $0.isStopped = true } }

    func change(_ message: inout [UInt8]) {
        state.withLock { state in
            let fields = message[12...15].reversed().reduce(0) { $0 << 8 | Int($1) }
            let body = (16 + fields + 7) & ~7
            // Small bodies are the answers of the bus itself.
            guard !state.isStopped, message.count - body > 48, state.random.once(in: 2) else {
                return
            }
            for _ in 0...Int.random(in: 0..<4, using: &state.random) {
                let index = Int.random(in: body..<message.count, using: &state.random)
                message[index] = state.random.pick([0, 1, 0x80, 0xEF, 0xFF, message[index] ^ 1])
            }
        }
    }
}
