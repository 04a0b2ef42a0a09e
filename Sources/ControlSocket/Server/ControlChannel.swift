import GatewayCore
import GatewayHost
import Platform
import Synchronization

/// The response channel of one client, with its open streams by request name.
final class ControlChannel: ResponseChannel {
    let client: ServiceClient
    private let output: ControlOutput
    private let poller: DescriptorPoller
    private let clock: any BootClock
    private let work: Mutex<Work>
    private let streams = Mutex<[String: any ResponseStream]>([:])

    private enum Work {
        case answering
        case idle(since: BootInstant)
    }

    /// Creates the channel of a client's output.
    init(
        _ output: ControlOutput, of client: ServiceClient, poller: DescriptorPoller,
        clock: any BootClock
    ) {
        self.client = client
        self.output = output
        self.poller = poller
        self.clock = clock
        work = Mutex(.idle(since: clock.now()))
    }

    /// How long the client has neither sent a request nor received anything; nil when it has a
    /// stream or an answer is on its way.
    func idleSeconds(at now: BootInstant) -> Double? {
        guard !hasStreams, !output.isWaiting, case .idle(let since) = work.withLock({ $0 }) else {
            return nil
        }
        return now.seconds(since: since)
    }

    /// Disconnects an idle client, for another one.
    func giveWay() {
        output.send(
            RequestRouter.errorLine(
                "disconnected: the client was idle and another one needs its place"))
        output.disconnect()
    }

    /// Whether a stream is open.
    var hasStreams: Bool { streams.withLock { !$0.isEmpty } }

    /// Answers a request line.
    func answer(
        _ line: ArraySlice<UInt8>, _ router: RequestRouter, _ service: GatewayService
    ) async {
        work.withLock { $0 = .answering }
        defer { work.withLock { $0 = .idle(since: clock.now()) } }
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
