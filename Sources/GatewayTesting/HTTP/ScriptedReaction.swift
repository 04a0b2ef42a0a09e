/// What a ``ScriptedHTTPServer`` does with a request.
public struct ScriptedReaction: Sendable {
    /// What comes after the bytes.
    enum Ending {
        case nextRequest
        /// The connection is closed in an orderly way: all that was sent arrives.
        case close
        /// The connection is torn down (RST), with whatever is on its way.
        case reset
        /// Nothing, until the other side closes.
        case silence
        /// These bytes, over and over.
        case forever([UInt8])
    }

    var bytes: [UInt8]
    var ending: Ending
    /// Between one byte and the next; nil sends all at once.
    var secondsPerByte: Double?
    var waitsForRelease = false
    var isBeforeBody = false
    /// Makes the reaction that takes the place of this one, when the body is there.
    var decision: (@Sendable (ReceivedHTTPRequest) -> ScriptedReaction)?

    init(_ bytes: [UInt8] = [], _ ending: Ending) {
        self.bytes = bytes
        self.ending = ending
    }

    /// Answers, and takes the next request on the same connection.
    public static func answer(_ answer: ScriptedAnswer = ScriptedAnswer()) -> Self {
        Self(answer.bytes, answer.framing == .untilClose ? .close : .nextRequest)
    }

    /// Does what is decided when the whole request is there, its body too.
    public static func decide(
        _ decision: @escaping @Sendable (ReceivedHTTPRequest) -> ScriptedReaction
    ) -> Self {
        var reaction = Self([], .close)
        reaction.decision = decision
        return reaction
    }

    /// Sends these bytes in the place of an answer, and closes.
    public static func bytes(_ bytes: [UInt8]) -> Self { Self(bytes, .close) }

    /// Sends so many bytes of an answer, and closes.
    public static func cut(_ answer: ScriptedAnswer, after count: Int) -> Self {
        Self(Array(answer.bytes.prefix(count)), .close)
    }

    /// Closes without an answer.
    public static let close = Self([], .close)

    /// Tears the connection down without an answer.
    public static let reset = Self([], .reset)

    /// Never answers, and keeps the connection.
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

    /// The same, byte by byte.
    public func dripping(secondsPerByte: Double) -> Self {
        var reaction = self
        reaction.secondsPerByte = secondsPerByte
        return reaction
    }

    /// The same, when ``ScriptedHTTPServer/release()`` is called.
    public func onRelease() -> Self {
        var reaction = self
        reaction.waitsForRelease = true
        return reaction
    }

    /// The same, as soon as the headers are there; the body is not waited for.
    public func beforeBody() -> Self {
        var reaction = self
        reaction.isBeforeBody = true
        return reaction
    }

    /// The same, and then the connection is torn down.
    public func thenReset() -> Self {
        var reaction = self
        reaction.ending = .reset
        return reaction
    }

    /// The same, and then nothing more, while the connection stays.
    public func thenSilence() -> Self {
        var reaction = self
        reaction.ending = .silence
        return reaction
    }

    /// The same, and then an orderly close.
    public func thenClose() -> Self {
        var reaction = self
        reaction.ending = .close
        return reaction
    }
}

/// An answer of a ``ScriptedHTTPServer``.
public struct ScriptedAnswer: Sendable {
    /// How the end of the body is known.
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
    /// What stands between the status line and the body, beside the framing.
    public var headers: [(name: String, value: String)]
    /// The body.
    public var body: [UInt8]
    /// How the end of the body is known.
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

    /// What is sent.
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
