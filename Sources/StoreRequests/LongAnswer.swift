import GatewayCore
import GatewayHost
import JSON

/// An answer of many lines, sent in blocks: the next one when the client has read the last one.
struct LongAnswer {
    /// The number of bytes sent before the gateway waits for the client to read them.
    private static let blockSize = 65_536

    private let channel: any ResponseChannel
    private var lines: [UInt8] = []
    /// The number of elements so far.
    private(set) var count: Int64 = 0

    init(_ channel: any ResponseChannel) {
        self.channel = channel
    }

    /// Adds an element whose line `append` writes, with its line break.
    mutating func add(_ append: (inout [UInt8]) -> Void) async throws {
        append(&lines)
        count += 1
        guard lines.count >= Self.blockSize else { return }
        channel.send(lines)
        lines = []
        try await channel.waitUntilWritten()
    }

    /// Sends the rest, and the last line: an object with a key.
    func end(_ key: String, _ content: (inout JSONWriter) -> Void) {
        channel.send(lines + JSONLine.make { $0.object(key, content) })
    }
}
