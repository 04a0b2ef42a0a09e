import Glibc

/// A client connection of a ``ScriptedHTTPServer``, used only on the thread of the server.
final class HTTPServerConnection {
    private enum State {
        case reading
        /// Waits for the release.
        case held(ScriptedReaction)
        case sending(ScriptedReaction, position: Int, next: Double)
        /// Everything is sent; waits for the client to close, because closing first could reset.
        case draining
        case ended
    }

    /// Callbacks to the server.
    struct Handlers {
        let head: (ReceivedHTTPRequest) -> ScriptedReaction
        let request: (ReceivedHTTPRequest) -> Void
        let bytes: (Int) -> Void
    }

    let descriptor: Int32
    private let number: Int
    private var reader: HTTPRequestReader
    private var reaction: ScriptedReaction?
    private var state = State.reading

    init(_ descriptor: Int32, number: Int, storesBodies: Bool) {
        self.descriptor = descriptor
        self.number = number
        reader = HTTPRequestReader(storesBodies: storesBodies)
    }

    deinit {
        close(descriptor)
    }

    var hasEnded: Bool {
        if case .ended = state { true } else { false }
    }

    /// The events to wait for, and the deadline.
    func wait(now: Double) -> (events: Int32, until: Double?) {
        guard case .sending(let reaction, _, let next) = state else { return (POLLIN, nil) }
        if reaction.secondsPerByte != nil, next > now { return (POLLIN, next) }
        return (POLLIN | POLLOUT, nil)
    }

    func release(now: Double) {
        if case .held(let reaction) = state { send(reaction, now: now) }
    }

    /// Reads the available bytes.
    func read(into buffer: UnsafeMutableRawBufferPointer, now: Double, _ handlers: Handlers) {
        let count = recv(descriptor, buffer.baseAddress, buffer.count, Int32(MSG_DONTWAIT))
        if count < 0, errno == EAGAIN || errno == EINTR { return }
        guard count > 0 else {
            state = .ended
            return
        }
        handlers.bytes(count)
        if case .draining = state { return }
        var bytes = UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(buffer)[..<count])[...]
        // A client sends its next request after the answer; earlier bytes are processed too, so
        // that nothing is stuck.
        while let event = reader.parse(&bytes) {
            handle(event, now: now, handlers)
            if case .malformed = event { return }
        }
    }

    /// Sends as many bytes as possible.
    func write(now: Double) {
        guard case .sending(let reaction, var position, let next) = state, next <= now else {
            return
        }
        guard position < reaction.bytes.count else { return finish(reaction, now: now) }
        let count = reaction.secondsPerByte == nil ? reaction.bytes.count - position : 1
        let sent = reaction.bytes.withUnsafeBytes { bytes in
            Glibc.send(
                descriptor, bytes.baseAddress?.advanced(by: position), count,
                Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
        }
        if sent < 0 {
            if errno != EAGAIN && errno != EINTR { state = .ended }
            return
        }
        position += sent
        state = .sending(
            reaction, position: position, next: now + (reaction.secondsPerByte ?? 0))
        if position == reaction.bytes.count { finish(reaction, now: now) }
    }

    private func handle(_ event: HTTPRequestReader.Event, now: Double, _ handlers: Handlers) {
        switch event {
        case .head(let head):
            let chosen = handlers.head(head)
            reaction = chosen
            if chosen.isBeforeBody { react(chosen, now: now) }
        case .request(var request):
            request.connection = number
            handlers.request(request)
            guard let reaction, !reaction.isBeforeBody else { return }
            react(reaction.decision?(request) ?? reaction, now: now)
        case .malformed:
            send(.cut(ScriptedAnswer(status: 400), after: .max), now: now)
        }
    }

    private func react(_ reaction: ScriptedReaction, now: Double) {
        if reaction.waitsForRelease {
            state = .held(reaction)
        } else {
            send(reaction, now: now)
        }
    }

    private func send(_ reaction: ScriptedReaction, now: Double) {
        state = .sending(reaction, position: 0, next: now)
        write(now: now)
    }

    private func finish(_ reaction: ScriptedReaction, now: Double) {
        switch reaction.ending {
        case .nextRequest:
            state = .reading
        case .silence:
            state = .draining
        case .close:
            shutdown(descriptor, Int32(SHUT_WR))
            state = .draining
        case .reset:
            var linger = linger(l_onoff: 1, l_linger: 0)
            setsockopt(
                descriptor, SOL_SOCKET, SO_LINGER, &linger,
                socklen_t(MemoryLayout.size(ofValue: linger)))
            state = .ended
        case .forever(let bytes):
            state = .sending(ScriptedReaction(bytes, .forever(bytes)), position: 0, next: now)
        }
    }
}
