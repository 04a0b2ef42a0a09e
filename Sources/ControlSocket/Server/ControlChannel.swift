import GatewayHost
import Platform
import Synchronization

/// The way back to one client, and what continues after its requests, by their names.
final class ControlChannel: ResponseChannel {
    private let output: ControlOutput
    private let poller: DescriptorPoller
    private let streams = Mutex<[String: any ResponseStream]>([:])

    init(_ output: ControlOutput, poller: DescriptorPoller) {
        self.output = output
        self.poller = poller
    }

    /// Whether something continues.
    var hasStreams: Bool { streams.withLock { !$0.isEmpty } }

    /// Answers a request.
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

    /// Ends everything that continues.
    func endStreams() {
        let ended = streams.withLock { streams in
            defer { streams = [:] }
            return streams.values
        }
        for stream in ended { stream.cancel() }
    }
}
