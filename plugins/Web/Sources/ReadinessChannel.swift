import GatewayCore
import JSON
import Synchronization

/// The channel of the question whether the gateway works; anybody may ask.
final class ReadinessChannel: ResponseChannel {
    static let request = Array(#"{"request":"ping"}"#.utf8)

    let client = ServiceClient(transport: WebGuard.transport, user: nil, isOwner: false)
    private let ready = Mutex(false)

    /// Whether the gateway has answered that all parts work.
    var isReady: Bool { ready.withLock { $0 } }

    func send(_ line: [UInt8], preparedBy prepare: () -> Void) {
        prepare()
        guard let text = String(validating: line, as: UTF8.self),
            case .object(let fields)? = try? JSONValue(json5: text),
            case .object(let ping)? = fields["ping"]
        else { return }
        ready.withLock { $0 = ping["healthy"] == .boolean(true) }
    }

    func waitUntilWritten() async throws {}
    func endStream(_ name: String) {}
}
