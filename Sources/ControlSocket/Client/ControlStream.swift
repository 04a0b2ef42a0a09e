import Platform

/// A connection to a gateway whose lines are read as they come, beside other things to wait for.
package final class ControlStream: Sendable {
    private static let readLimit = 65_536

    private let socket: LocalSocket
    private let poller = DescriptorPoller()

    /// Takes over a connection, all of whose answers have been read.
    package init(_ client: consuming ControlClient) {
        socket = client.socket
        socket.setNonBlocking()
    }

    /// Sends a request whose answer comes among the lines.
    package func post(_ request: ControlRequest) async {
        var rest = (request.line + [UInt8(ascii: "\n")])[...]
        while !rest.isEmpty {
            switch socket.write(rest) {
            case .wrote(let count): rest = rest.dropFirst(count)
            case .wouldBlock: guard (try? await waitUntilWritable()) != nil else { return }
            // The reader of the lines sees that the gateway has gone.
            case .failed: return
            }
        }
    }

    /// Reads lines, without their line breaks, until the gateway leaves or the task is cancelled.
    package func run(_ receive: (ArraySlice<UInt8>) -> Void) async {
        guard let readable = try? poller.watch(socket, .readable) else { return }
        defer { readable.close() }
        var lines = ReceivedLines()
        while !Task.isCancelled {
            switch socket.read(limit: Self.readLimit) {
            case .bytes(let bytes):
                guard let whole = lines.append(bytes) else { return }
                for line in whole { receive(line) }
            case .wouldBlock:
                guard (try? await readable.wait()) != nil else { return }
            case .end, .failed:
                return
            }
        }
    }

    private func waitUntilWritable() async throws {
        let writable = try poller.watch(socket.duplicate(), .writable)
        defer { writable.close() }
        try await writable.wait()
    }
}

/// Cuts what a gateway sends into lines; a line that is too long is none of a gateway's.
struct ReceivedLines {
    private var rest: [UInt8] = []

    /// The lines that are complete with these bytes; nil when one is too long.
    mutating func append(_ bytes: [UInt8]) -> [ArraySlice<UInt8>]? {
        rest += bytes
        guard let end = rest.lastIndex(of: UInt8(ascii: "\n")) else {
            return rest.count > ControlClient.maximumLineLength ? nil : []
        }
        let lines = rest[..<end].split(separator: UInt8(ascii: "\n"))
        rest = Array(rest[(end + 1)...])
        return lines
    }
}
