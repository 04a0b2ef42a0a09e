import Synchronization

@testable import GatewayCore
@testable import GatewayHost

/// A client whose lines a test reads.
final class FollowClient: ResponseChannel {
    let client: ServiceClient
    private let received = Mutex<[[UInt8]]>([])
    private let stream: Mutex<(any ResponseStream)?> = Mutex(nil)

    /// A client of the owner, or of another user with a name.
    init(ofOther name: String? = nil) {
        client = ServiceClient(
            transport: PlainName(known: "test"), user: PlainName("4711"), isOwner: name == nil)
        if let name = name.flatMap({ PlainName($0) }) {
            _ = client.introduce(ServiceClient.Introduction(name: name, purpose: nil))
        }
    }

    /// All received lines, without line breaks.
    var lines: [String] {
        received.withLock { $0 }.map { String(decoding: $0.dropLast(), as: UTF8.self) }
    }

    /// The bytes of the last line, as they were sent.
    var lastBytes: [UInt8] { received.withLock { $0.last ?? [] } }

    /// Removes and returns all received lines.
    func take() -> [String] {
        let lines = received.withLock { lines in
            defer { lines = [] }
            return lines
        }
        return lines.map { String(decoding: $0.dropLast(), as: UTF8.self) }
    }

    func note(_ new: (any ResponseStream)?) { stream.withLock { $0 = new } }

    func send(_ line: [UInt8], preparedBy prepare: () -> Void) {
        prepare()
        received.withLock { $0.append(line) }
    }

    func waitUntilWritten() async throws {}

    func endStream(_ name: String) {
        let old = stream.withLock { stream in
            defer { stream = nil }
            return stream
        }
        old?.cancel()
    }
}
