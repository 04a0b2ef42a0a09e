import GatewayHost
package import Platform

/// One client of the control socket: its requests are answered in order, and a tap goes on beside them.
package struct ControlConnection: Sendable {
    /// So much is read at once, in bytes.
    private static let readLimit = 4096

    package let socket: LocalSocket
    package let output: ControlOutput
    package let poller: DescriptorPoller
    let router: RequestRouter
    let service: GatewayService

    /// Serves the client until it leaves, is cut off, or the task is cancelled.
    package func run() async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await output.writeBacklogs(poller: poller) }
            // Whatever ends the conversation, a client that is gone or the end of the gateway, ends it.
            try? await converse()
            group.cancelAll()
        }
        socket.shutDown()
    }

    private func converse() async throws {
        let readable = try poller.watch(socket, .readable)
        defer { readable.close() }
        var lines = RequestLines()
        let channel = ControlChannel(output, poller: poller)
        defer { channel.endStreams() }
        while true {
            switch socket.read(limit: Self.readLimit) {
            case .bytes(let bytes):
                do throws(RequestLines.TooLong) {
                    for line in try lines.take(bytes) {
                        await channel.answer(line, router, service)
                    }
                } catch {
                    return sendError(
                        "a request has \(ControlRequest.maximumLineLength) bytes at most")
                }
                // Whoever sends without end shares the thread with the rest.
                await Task.yield()
                try Task.checkCancellation()
            case .wouldBlock:
                try await readable.wait()
            case .end:
                // A shell's pipe may end without a line end, and it still wants the answer.
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

    /// The client has ended its side and still reads.
    private func waitUntilClientLeaves() async throws {
        let hungUp = try poller.watch(socket.duplicate(), .hungUp)
        defer { hungUp.close() }
        try await hungUp.wait()
    }
}
