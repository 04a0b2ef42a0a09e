import GatewayHost
package import Platform

/// The connection of one client: answers requests in order while streams such as a tap continue.
package struct ControlConnection: Sendable {
    /// The maximum length of a read, in bytes.
    private static let readLimit = 4096

    package let socket: LocalSocket
    package let output: ControlOutput
    package let poller: DescriptorPoller
    let channel: ControlChannel
    let router: RequestRouter
    let service: GatewayService

    /// Serves the client until it disconnects, is disconnected, or the task is cancelled.
    package func run() async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await output.writeBacklogs(poller: poller) }
            // Any error ends the connection: a closed socket or the end of the gateway.
            try? await serveRequests()
            group.cancelAll()
        }
        socket.shutDown()
    }

    private func serveRequests() async throws {
        let readable = try poller.watch(socket, .readable)
        defer { readable.close() }
        var lines = RequestLines()
        defer { channel.endStreams() }
        while true {
            switch socket.read(limit: Self.readLimit) {
            case .bytes(let bytes):
                do throws(RequestLines.TooLong) {
                    for line in try lines.append(bytes) {
                        await channel.answer(line, router, service)
                    }
                } catch {
                    return sendError(
                        "the request must not exceed \(ControlRequest.maximumLineLength) bytes")
                }
                // A client that never stops sending must share the thread.
                await Task.yield()
                try Task.checkCancellation()
            case .wouldBlock:
                try await readable.wait()
            case .end:
                // A shell pipe may end without a line break, and still expects the answer.
                if let line = lines.finish() { await channel.answer(line, router, service) }
                if channel.hasStreams { try await waitUntilClientLeaves() }
                return try await output.drain(poller: poller)
            case .failed:
                return
            }
        }
    }

    private func sendError(_ problem: String) {
        output.send(RequestRouter.errorLine(problem))
    }

    /// Waits until a client that has only closed its sending side disconnects.
    private func waitUntilClientLeaves() async throws {
        let hungUp = try poller.watch(socket.duplicate(), .hungUp)
        defer { hungUp.close() }
        try await hungUp.wait()
    }
}

/// Splits received bytes into request lines, and buffers at most one line.
package struct RequestLines {
    /// A line that exceeds the maximum length of a request.
    package struct TooLong: Error {}

    private var rest: ArraySlice<UInt8> = []

    /// Returns the lines that these bytes complete, without line breaks and empty lines.
    package mutating func append(_ bytes: [UInt8]) throws(TooLong) -> [ArraySlice<UInt8>] {
        var pieces = bytes.split(
            separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        pieces[0] = (rest + pieces[0])[...]
        guard pieces.allSatisfy({ $0.count <= ControlRequest.maximumLineLength }) else {
            throw TooLong()
        }
        rest = pieces.removeLast()
        return pieces.filter { !$0.isEmpty }
    }

    /// Returns the bytes after the last line break; nil if there are none.
    package mutating func finish() -> ArraySlice<UInt8>? {
        defer { rest = [] }
        return rest.isEmpty ? nil : rest
    }
}
