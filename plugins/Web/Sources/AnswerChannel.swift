import GatewayCore
import HTTPServer
import JSON
import Synchronization

/// The channel of one HTTP request: its first line decides on the status, further ones follow.
///
/// A short answer is sent as a whole, with its length and a validator; a long one in an output.
final class AnswerChannel: ResponseChannel {
    /// Makes the response of the first line, and the bytes that lines become.
    struct Format: Sendable {
        /// The headers of a response that is no error.
        let headers: [(name: String, value: String)]
        /// What comes before the first line.
        var start: [UInt8] = []
        /// Converts a line, with its number from 0.
        let convert: @Sendable (_ line: ArraySlice<UInt8>, _ number: Int) -> [UInt8]
        /// The output of a response in pieces; nil for an answer of one line.
        var output: HTTPOutput?
        /// Whether each line is sent at once.
        var isLive = false
        /// Further headers, which the first line has.
        var headersOf: @Sendable (_ line: ArraySlice<UInt8>) -> [(name: String, value: String)] = {
            _ in []
        }
    }

    /// The maximum number of bytes of an answer that is sent as a whole.
    static let wholeLimit = 1 << 18

    private struct State {
        /// Whether there is a first line.
        var hasStarted = false
        /// Whether the response was sent, maybe only its start.
        var isSent = false
        var lineCount = 0
        var headers: [(name: String, value: String)] = []
        /// What is not sent yet.
        var pending: [UInt8] = []
        /// Compresses an answer that is sent in pieces.
        var encoder: GzipEncoder?
    }

    let client: ServiceClient
    let content: (any RequestContent)?
    private let format: Format
    private let negotiation: Negotiation
    private let responder: HTTPResponder
    private let state = Mutex(State())

    init(
        _ client: ServiceClient, _ format: Format, _ negotiation: Negotiation,
        _ responder: HTTPResponder, content: (any RequestContent)? = nil
    ) {
        self.client = client
        self.content = content
        self.format = format
        self.negotiation = negotiation
        self.responder = responder
    }

    func send(_ lines: [UInt8], preparedBy prepare: () -> Void) {
        state.withLock { state in
            prepare()
            for line in lines.split(separator: UInt8(ascii: "\n")) { send(line, &state) }
        }
    }

    private func send(_ line: ArraySlice<UInt8>, _ state: inout State) {
        if !state.hasStarted {
            state.hasStarted = true
            if let problem = Problem(answer: line) {
                state.isSent = true
                return responder.send(problem.response)
            }
            state.headers = format.headers + format.headersOf(line)
            state.pending = format.start
        } else if state.isSent, format.output == nil || state.headers.isEmpty {
            return
        }
        state.pending += format.convert(line, state.lineCount)
        state.lineCount += 1
        if let output = format.output {
            let isLong = state.isSent || state.pending.count > Self.wholeLimit
            if isLong || format.isLive { sendPending(output, &state) }
        } else {
            sendWhole(&state)
        }
    }

    private func sendWhole(_ state: inout State) {
        state.isSent = true
        responder.send(negotiation.response(state.headers, state.pending))
        state.pending = []
    }

    /// Sends what there is in the output, after the start of the response.
    private func sendPending(_ output: HTTPOutput, _ state: inout State, isEnd: Bool = false) {
        if !state.isSent {
            state.isSent = true
            let type = state.headers.first { $0.name == "Content-Type" }?.value
            if negotiation.compresses(type: type) { state.encoder = GzipEncoder() }
            var headers = state.headers
            if state.encoder != nil { headers.append(("Content-Encoding", "gzip")) }
            if !format.isLive { headers.append(("Vary", "Accept-Encoding")) }
            responder.send(HTTPServerResponse(200, headers: headers, body: .output(output)))
        }
        output.send(state.encoder?.encode(state.pending, isEnd: isEnd) ?? state.pending)
        state.pending = []
    }

    func waitUntilWritten() async throws {
        guard let output = format.output else { return }
        await output.drain()
        if output.end != nil { throw ResponseChannelClosed() }
    }

    /// A channel has one request, and so one stream.
    func endStream(_ name: String) {}

    /// Ends the answer; a request that got no line is answered: the gateway stops.
    func finish() {
        state.withLock { state in
            if !state.hasStarted {
                state.hasStarted = true
                state.isSent = true
                let stopping = Problem(status: 503, detail: "The gateway is stopping.")
                responder.send(stopping.response)
            } else if let output = format.output, state.encoder != nil {
                sendPending(output, &state, isEnd: true)
            } else if !state.isSent {
                sendWhole(&state)
            }
        }
    }
}
