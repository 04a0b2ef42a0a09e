import GatewayCore
import Synchronization

/// Asks the gateway one question, as its owner.
final class StatusQuestion: ResponseChannel {
    static let status = Array(#"{"request":"status"}"#.utf8)
    static let workouts = Array(#"{"request":"workout","action":"status"}"#.utf8)

    let client = ServiceClient(
        transport: PlainName(known: "alerts"), user: nil, isOwner: true,
        name: PlainName(known: "alerts"))
    private let answer = Mutex<[UInt8]?>(nil)

    /// Returns the first line of the answer; nil without one.
    static func ask(_ request: [UInt8], _ gateway: any GatewayRequests) async -> [UInt8]? {
        let question = StatusQuestion()
        await gateway.answer(request, on: question)?.cancel()
        return question.answer.withLock { $0 }
    }

    func send(_ line: [UInt8], preparedBy prepare: () -> Void) {
        prepare()
        answer.withLock { $0 = $0 ?? line }
    }

    func waitUntilWritten() async throws {}
    func endStream(_ name: String) {}
}
