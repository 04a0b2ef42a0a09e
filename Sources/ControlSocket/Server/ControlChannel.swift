import GatewayHost
import Platform
import Synchronization

/// The response channel of one client, with its open streams by request name.
final class ControlChannel: ResponseChannel {
    private let output: ControlOutput
    private let poller: DescriptorPoller
    private let streams = Mutex<[String: any ResponseStream]>([:])

    /// Creates the channel of a client's output.
    init(_ output: ControlOutput, poller: DescriptorPoller) {
        self.output = output
        self.poller = poller
    }

    /// Whether a stream is open.
    var hasStreams: Bool { streams.withLock { !$0.isEmpty } }

    /// Answers a request line.
    func answer(
        _ line: ArraySlice<UInt8>, _ router: RequestRouter, _ service: GatewayService
    ) async {
        guard let (name, stream) = await router.answer(line, service, self), let stream else {
            return
        }
        streams.withLock { $0.updateValue(stream, forKey: name) }?.cancel()
    }

    func send(_ line: [UInt8], preparedBy prepare: () -> Void) {
        output.send(line, preparedBy: prepare)
    }

    func waitUntilWritten() async throws {
        try await output.drain(poller: poller)
        guard !output.isClosed else { throw ResponseChannelClosed() }
    }

    func endStream(_ name: String) {
        streams.withLock { $0.removeValue(forKey: name) }?.cancel()
    }

    /// Ends all streams.
    func endStreams() {
        let ended = streams.withLock { streams in
            defer { streams = [:] }
            return streams.values
        }
        for stream in ended { stream.cancel() }
    }
}
