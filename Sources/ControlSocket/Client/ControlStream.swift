import Platform

/// An asynchronous connection to a gateway that receives lines as they arrive.
package final class ControlStream: Sendable {
    private static let readLimit = 65_536

    private let socket: LocalSocket
    private let poller = DescriptorPoller()

    /// Takes over the connection of a client that has read all its answers.
    package init(_ client: consuming ControlClient) {
        socket = client.socket
        socket.setNonBlocking()
    }

    /// Sends a request whose answer is one of the received lines.
    package func post(_ request: ControlRequest) async {
        var rest = (request.line + [UInt8(ascii: "\n")])[...]
        while !rest.isEmpty {
            switch socket.write(rest) {
            case .wrote(let count): rest = rest.dropFirst(count)
            case .wouldBlock: guard (try? await waitUntilWritable()) != nil else { return }
            // `run` notices that the connection is closed.
            case .failed: return
            }
        }
    }

    /// Receives lines, without their line breaks, until the gateway closes the connection or the
    /// task is cancelled.
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

/// Splits received bytes into lines, up to ``ControlClient/maximumLineLength``.
struct ReceivedLines {
    private var rest: [UInt8] = []

    /// Returns the lines that these bytes complete; nil if a line is too long.
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
