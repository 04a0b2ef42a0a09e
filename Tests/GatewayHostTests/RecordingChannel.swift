import Synchronization

@testable import GatewayCore
@testable import GatewayHost

/// A channel that holds all sent lines.
final class RecordingChannel: ResponseChannel {
    let client: ServiceClient
    private let sent = Mutex<[UInt8]>([])

    init(_ client: ServiceClient = ServiceClient(transport: PlainName(known: "test"), userID: 0)) {
        self.client = client
    }

    var lines: [String] {
        sent.withLock { String(decoding: $0, as: UTF8.self) }
            .split(separator: "\n").map(String.init)
    }

    func send(_ line: [UInt8], preparedBy prepare: () -> Void) {
        prepare()
        sent.withLock { $0 += line }
    }

    func waitUntilWritten() async throws {}

    func endStream(_ name: String) {}
}
