/// The reaction of a ``ScriptedHTTPServer`` to a request.
public struct ScriptedReaction: Sendable {
    /// What follows after the bytes.
    enum Ending {
        case nextRequest
        /// The connection is closed cleanly: all sent bytes arrive.
        case close
        /// The connection is reset (RST); bytes in flight may be lost.
        case reset
        /// Nothing, until the client closes.
        case silence
        /// These bytes, repeated forever.
        case forever([UInt8])
    }

    var bytes: [UInt8]
    var ending: Ending
    /// The pause between two bytes; nil sends all at the same time.
    var secondsPerByte: Double?
    var waitsForRelease = false
    var isBeforeBody = false
    /// Makes the reaction that replaces this one when the body is complete.
    var decision: (@Sendable (ReceivedHTTPRequest) -> ScriptedReaction)?

    init(_ bytes: [UInt8] = [], _ ending: Ending) {
        self.bytes = bytes
        self.ending = ending
    }

    /// Answers, and reads the next request on the same connection.
    public static func answer(_ answer: ScriptedAnswer = ScriptedAnswer()) -> Self {
        Self(answer.bytes, answer.framing == .untilClose ? .close : .nextRequest)
    }

    /// Chooses the reaction when the request with its body is complete.
    public static func decide(
        _ decision: @escaping @Sendable (ReceivedHTTPRequest) -> ScriptedReaction
    ) -> Self {
        var reaction = Self([], .close)
        reaction.decision = decision
        return reaction
    }

    /// Sends these bytes instead of an answer, and closes.
    public static func bytes(_ bytes: [UInt8]) -> Self { Self(bytes, .close) }

    /// Sends the first `count` bytes of an answer, and closes.
    public static func cut(_ answer: ScriptedAnswer, after count: Int) -> Self {
        Self(Array(answer.bytes.prefix(count)), .close)
    }

    /// Closes without an answer.
    public static let close = Self([], .close)

    /// Resets the connection without an answer.
    public static let reset = Self([], .reset)

    /// Never answers, and keeps the connection open.
    public static let silence = Self([], .silence)

    /// Sends headers without an end.
    public static let endlessHeaders = Self(
        Array("HTTP/1.1 200 OK\r\n".utf8), .forever(Array("X-More: and more\r\n".utf8)))

    /// Sends provisional answers (status 100) without an end.
    public static let endlessContinue = Self(
        [], .forever(Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)))

    /// Sends a body without an end.
    public static func endlessBody(status: Int = 200) -> Self {
        Self(
            Array("HTTP/1.1 \(status) Endless\r\n\r\n".utf8),
            .forever([UInt8](repeating: UInt8(ascii: "x"), count: 65_536)))
    }

    /// Redirects to this URL.
    public static func redirect(_ status: Int, to url: String) -> Self {
        .answer(ScriptedAnswer(status: status, headers: [("Location", url)]))
    }

    /// The same reaction, sent byte by byte.
    public func dripping(secondsPerByte: Double) -> Self {
        var reaction = self
        reaction.secondsPerByte = secondsPerByte
        return reaction
    }

    /// The same reaction, delayed until ``ScriptedHTTPServer/release()``.
    public func onRelease() -> Self {
        var reaction = self
        reaction.waitsForRelease = true
        return reaction
    }

    /// The same reaction, as soon as the headers are complete, without waiting for the body.
    public func beforeBody() -> Self {
        var reaction = self
        reaction.isBeforeBody = true
        return reaction
    }

    /// The same reaction, followed by a reset of the connection.
    public func thenReset() -> Self {
        var reaction = self
        reaction.ending = .reset
        return reaction
    }

    /// The same reaction, followed by silence on an open connection.
    public func thenSilence() -> Self {
        var reaction = self
        reaction.ending = .silence
        return reaction
    }

    /// The same reaction, followed by a clean close.
    public func thenClose() -> Self {
        var reaction = self
        reaction.ending = .close
        return reaction
    }
}

/// An answer of a ``ScriptedHTTPServer``.
public struct ScriptedAnswer: Sendable {
    /// How the end of the body is marked.
    public enum Framing: Sendable {
        /// By `Content-Length`.
        case length
        /// In chunks of three bytes.
        case chunked
        /// By the end of the connection.
        case untilClose
    }

    /// The status code.
    public var status: Int
    /// The headers, without those for the framing.
    public var headers: [(name: String, value: String)]
    /// The body.
    public var body: [UInt8]
    /// How the end of the body is marked.
    public var framing: Framing

    /// Makes an answer.
    public init(
        status: Int = 200, headers: [(String, String)] = [], body: String = "",
        framing: Framing = .length
    ) {
        self.status = status
        self.headers = headers
        self.body = Array(body.utf8)
        self.framing = framing
    }

    /// The bytes to send.
    public var bytes: [UInt8] {
        var head = "HTTP/1.1 \(status) Scripted\r\n"
        for header in headers { head += "\(header.name): \(header.value)\r\n" }
        switch framing {
        case .length: head += "Content-Length: \(body.count)\r\n"
        case .chunked: head += "Transfer-Encoding: chunked\r\n"
        case .untilClose: head += "Connection: close\r\n"
        }
        return Array("\(head)\r\n".utf8) + (framing == .chunked ? chunks : body)
    }

    private var chunks: [UInt8] {
        let starts = stride(from: 0, to: body.count, by: 3)
        let chunks = starts.flatMap { start -> [UInt8] in
            let chunk = body[start...].prefix(3)
            return Array("\(chunk.count)\r\n".utf8) + chunk + Array("\r\n".utf8)
        }
        return chunks + Array("0\r\n\r\n".utf8)
    }
}
