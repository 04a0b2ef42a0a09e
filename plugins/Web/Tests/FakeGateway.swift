import GatewayCore
import GatewayTesting
import HTTPServer
import HTTPTesting
import JSON
import Platform
import Synchronization
import XCTest

@testable import Web

/// A gateway whose answers a test chooses.
final class FakeGateway: GatewayRequests {
    typealias Answer = @Sendable (String, any ResponseChannel) -> Void

    typealias ContentAnswer =
        @Sendable (String, any RequestContent, any ResponseChannel) async -> Void

    /// A stream that notes its end.
    final class Stream: ResponseStream {
        let isCancelled = Mutex(false)
        private let end: AsyncStream<Void>
        private let signal: AsyncStream<Void>.Continuation

        init() { (end, signal) = AsyncStream.makeStream() }

        func cancel() {
            isCancelled.withLock { $0 = true }
            signal.yield()
        }

        func waitForEnd() async {
            var iterator = end.makeAsyncIterator()
            await iterator.next()
        }
    }

    private let requests = Mutex<[(text: String, client: ServiceClient)]>([])
    private let channels: AsyncStream<any ResponseChannel>
    private let channelSignal: AsyncStream<any ResponseChannel>.Continuation
    private let reply: Answer
    /// The stream of a request; nil for none.
    private let streamOf: @Sendable (String) -> Stream?
    /// Reads the content of a request; nil for none.
    private let contentReply: ContentAnswer?

    convenience init(stream: Stream? = nil, _ reply: @escaping Answer) {
        self.init(streamOf: { _ in stream }, reply)
    }

    /// A gateway that gets a file with each request.
    convenience init(content: @escaping ContentAnswer) {
        self.init(streamOf: { _ in nil }, content: content) { _, _ in }
    }

    init(
        streamOf: @escaping @Sendable (String) -> Stream?, content: ContentAnswer? = nil,
        _ reply: @escaping Answer
    ) {
        self.reply = reply
        self.streamOf = streamOf
        contentReply = content
        (channels, channelSignal) = AsyncStream.makeStream()
    }

    /// The requests so far.
    var texts: [String] { requests.withLock { $0.map(\.text) } }

    /// The clients of the requests so far.
    var clients: [ServiceClient] { requests.withLock { $0.map(\.client) } }

    /// The channel of the next request.
    func nextChannel() async -> (any ResponseChannel)? {
        var iterator = channels.makeAsyncIterator()
        return await iterator.next()
    }

    func answer(
        _ request: [UInt8], on channel: any ResponseChannel
    ) async -> (any ResponseStream)? {
        let text = String(decoding: request, as: UTF8.self)
        requests.withLock { $0.append((text, channel.client)) }
        reply(text, channel)
        channelSignal.yield(channel)
        if let content = channel.content { await contentReply?(text, content, channel) }
        return streamOf(text)
    }
}

/// A web server of a test.
final class RunningWeb: Sendable {
    let port: UInt16
    private let task: Task<Void, any Error>

    private init(port: UInt16, task: Task<Void, any Error>) {
        self.port = port
        self.task = task
    }

    /// Starts a server with settings in JSON5.
    static func start(
        _ gateway: FakeGateway, _ settings: String = "{}", clock: any GatewayClock = SystemClock(),
        in folder: String = "/tmp"
    ) async throws -> RunningWeb {
        let context = ComponentContext(
            name: "web", clock: clock, log: Logger(component: "web") { _ in },
            dataDirectory: folder)
        let object = try ConfigurationNode(json5: settings).object(keys: WebSettings.keys)
        let read = try WebSettings(object, context)
        let free = WebSettings(
            address: try XCTUnwrap(ListenAddress("127.0.0.1:0")), hosts: read.hosts,
            tokens: read.tokens, hasValuesInMetrics: read.hasValuesInMetrics)
        let server = WebServer(settings: free, context: context)
        let (ports, signal) = AsyncStream.makeStream(of: UInt16.self)
        let task = Task {
            defer { signal.finish() }
            try await server.run(ServiceAccess(live: LiveLane(), requests: gateway)) {
                signal.yield($0)
            }
        }
        var iterator = ports.makeAsyncIterator()
        guard let port = await iterator.next() else {
            try await task.value
            throw RawHTTPFailure("the server has ended")
        }
        return RunningWeb(port: port, task: task)
    }

    func connect() throws -> RawHTTPConnection { try RawHTTPConnection(port: port) }

    func stop() async throws {
        task.cancel()
        try await task.value
    }
}
