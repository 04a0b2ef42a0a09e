import GatewayCore
import HTTPServer
import HealthModel
import Platform
import Readings
import Synchronization

/// The Server-Sent Events of all clients (HTML, "Server-sent events").
///
/// A line `{"person":{…}}` of the gateway becomes the event `person`.
final class EventStreams: Sendable {
    /// The interval of the comments that keep a connection open, in seconds.
    static let heartbeatSeconds = 15.0
    /// The maximum number of clients with a stream.
    let limit: Int

    private struct Stream {
        let output: HTTPOutput
        let client: ServiceClient
    }

    private struct State {
        var streams: [UInt64: Stream] = [:]
        var last: UInt64 = 0
    }

    /// The number of connections of the server that are for other requests.
    private static let otherConnections = 100

    private let state = Mutex(State())
    private let clock: any GatewayClock

    /// Makes streams without clients.
    ///
    /// - Parameter connections: The maximum number of connections of the server.
    init(clock: any GatewayClock, connections: Int) {
        self.clock = clock
        limit = max(connections - Self.otherConnections, connections / 2)
    }

    /// Checks that there is a place for a client.
    ///
    /// The others leave a quarter of the places to the owner, and one of them has at most half of all.
    ///
    /// - Throws: ``Problem`` when there is none.
    func checkPlace(for client: ServiceClient) throws(Problem) {
        let hasPlace = state.withLock { state in
            guard state.streams.count < limit else { return false }
            guard !client.isOwner else { return true }
            let others = state.streams.values.filter { !$0.client.isOwner }
            return others.count < limit * 3 / 4
                && others.count { $0.client.id == client.id } < limit / 2
        }
        guard hasPlace else {
            throw Problem(status: 503, detail: "Too many clients have live events.")
        }
    }

    /// The format of a response with events.
    ///
    /// - Parameter lastEvent: The id of the last event that the client got before; the gap since then follows
    ///   the full state.
    func format(after lastEvent: String?) -> AnswerChannel.Format {
        let missed = lastEvent.flatMap { Int64($0) }.map { gap(since: $0) } ?? []
        let clock = clock
        return AnswerChannel.Format(
            headers: [
                ("Content-Type", "text/event-stream"), ("Cache-Control", "no-store"),
                ("X-Accel-Buffering", "no"),
            ],
            convert: { line, number in
                Self.event(of: line, id: Self.milliseconds(clock)) + (number == 0 ? missed : [])
            },
            output: HTTPOutput(farewell: Self.end("slow")), isLive: true)
    }

    /// Keeps the stream of a client until it leaves.
    func keep(_ output: HTTPOutput, of client: ServiceClient, _ stream: any ResponseStream) {
        let number = state.withLock { state in
            state.last += 1
            state.streams[state.last] = Stream(output: output, client: client)
            return state.last
        }
        output.whenEnded { [weak self] _ in
            stream.cancel()
            self?.remove(number)
        }
    }

    private func remove(_ number: UInt64) {
        state.withLock { _ = $0.streams.removeValue(forKey: number) }
    }

    /// Sends comments until the task is cancelled; a client that has left is noticed by them.
    func run() async {
        while (try? await clock.sleep(seconds: Self.heartbeatSeconds)) != nil {
            for output in state.withLock({ $0.streams.values.map(\.output) }) {
                output.send(Array(":\n\n".utf8))
            }
        }
    }

    /// Ends all streams with an event: the server stops.
    func finish() {
        for output in state.withLock({ $0.streams.values.map(\.output) }) {
            output.send(Self.end("stopping"))
            output.finish()
        }
    }

    private func gap(since milliseconds: Int64) -> [UInt8] {
        let now = Self.milliseconds(clock)
        guard (0...now).contains(milliseconds) else { return [] }
        let seconds = Double(now - milliseconds) / 1_000
        return Array("event: gap\ndata: {\"seconds\":\(seconds)}\n\n".utf8)
    }

    private static func milliseconds(_ clock: any GatewayClock) -> Int64 {
        clock.epoch().instant(at: clock.now()).nanosecondsSince1970 / 1_000_000
    }

    private static func end(_ reason: String) -> [UInt8] {
        Array("event: end\ndata: {\"reason\":\"\(reason)\"}\n\n".utf8)
    }

    /// `{"person":{…}}` becomes `event: person`, `data: {…}`.
    static func event(of line: ArraySlice<UInt8>, id: Int64) -> [UInt8] {
        let quote = UInt8(ascii: "\"")
        guard line.count > 4, line.last == UInt8(ascii: "}"), line.dropFirst().first == quote,
            let end = line.dropFirst(2).firstIndex(of: quote), end + 2 <= line.endIndex - 1
        else { return Array("event: message\ndata: ".utf8) + line + Array("\n\n".utf8) }
        let name = line[(line.startIndex + 2)..<end]
        var event = Array("event: ".utf8)
        event += name
        event += "\nid: \(id)\ndata: ".utf8
        event += line[(end + 2)..<(line.endIndex - 1)]
        event += "\n\n".utf8
        return event
    }
}
