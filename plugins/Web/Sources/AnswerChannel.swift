import GatewayCore
import HTTPServer
import JSON
import Synchronization

/// The channel of one HTTP request: its first line decides on the status, further ones follow in an output.
final class AnswerChannel: ResponseChannel {
    /// Makes the response of the first line, and the bytes that lines become.
    struct Format: Sendable {
        /// The headers of a response that is no error.
        let headers: [(name: String, value: String)]
        /// What comes before the first line.
        var start: [UInt8] = []
        /// Converts a line, with its number from 0.
        let convert: @Sendable (_ line: ArraySlice<UInt8>, _ number: Int) -> [UInt8]
        /// The output of a response in pieces.
        var output: HTTPOutput?
        /// Further headers, which the first line has.
        var headersOf: @Sendable (_ line: ArraySlice<UInt8>) -> [(name: String, value: String)] = {
            _ in []
        }
    }

    private struct State {
        /// Whether the status and the headers are decided.
        var isAnswered = false
        var lineCount = 0
    }

    let client: ServiceClient
    private let format: Format
    private let responder: HTTPResponder
    private let state = Mutex(State())

    init(_ client: ServiceClient, _ format: Format, _ responder: HTTPResponder) {
        self.client = client
        self.format = format
        self.responder = responder
    }

    func send(_ lines: [UInt8], preparedBy prepare: () -> Void) {
        state.withLock { state in
            prepare()
            for line in lines.split(separator: UInt8(ascii: "\n")) { send(line, &state) }
        }
    }

    private func send(_ line: ArraySlice<UInt8>, _ state: inout State) {
        if state.isAnswered {
            format.output?.send(format.convert(line, state.lineCount))
        } else {
            state.isAnswered = true
            if let problem = Problem(answer: line) { return responder.send(problem.response) }
            respond(line)
        }
        state.lineCount += 1
    }

    private func respond(_ line: ArraySlice<UInt8>) {
        let bytes = format.start + format.convert(line, 0)
        let headers = format.headers + format.headersOf(line)
        guard let output = format.output else {
            return responder.send(
                HTTPServerResponse(200, headers: headers, body: .bytes(bytes)))
        }
        output.send(bytes)
        responder.send(HTTPServerResponse(200, headers: headers, body: .output(output)))
    }

    func waitUntilWritten() async throws {
        guard let output = format.output else { return }
        await output.drain()
        if output.end != nil { throw ResponseChannelClosed() }
    }

    /// A channel has one request, and so one stream.
    func endStream(_ name: String) {}

    /// Answers a request that got no line: the gateway stops.
    func finish() {
        let isUnanswered = state.withLock { state in
            defer { state.isAnswered = true }
            return !state.isAnswered
        }
        guard isUnanswered else { return }
        responder.send(Problem(status: 503, detail: "The gateway is stopping.").response)
    }
}
