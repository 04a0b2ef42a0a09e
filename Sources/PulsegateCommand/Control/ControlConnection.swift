import GatewayCore
import Readiness

/// One client of the control socket: its requests are answered in order, and a tap goes on beside them.
struct ControlConnection: Sendable {
    /// So much is read at once, in bytes.
    private static let readLimit = 4096

    let socket: LocalSocket
    let output: ControlOutput
    let poller: DescriptorPoller
    let live: LiveLane
    let answers: ControlAnswers

    /// Serves the client until it leaves, is cut off, or the task is cancelled.
    func run() async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await output.writeBacklogs(poller: poller) }
            // Whatever ends the conversation, a client that is gone or the end of the gateway, ends it.
            try? await converse()
            group.cancelAll()
        }
        socket.shutDown()
    }

    private func converse() async throws {
        let readable = try poller.watch(socket, .readable)
        defer { readable.close() }
        var lines = RequestLines()
        var going = Going()
        defer { end(&going) }
        while true {
            switch socket.read(limit: Self.readLimit) {
            case .bytes(let bytes):
                do throws(RequestLines.TooLong) {
                    for line in try lines.take(bytes) { await answer(line, &going) }
                } catch {
                    return sendError("a request has \(ControlRequest.longestLine) bytes at most")
                }
                // Whoever sends without end shares the thread with the rest.
                await Task.yield()
                try Task.checkCancellation()
            case .wouldBlock:
                try await readable.wait()
            case .end:
                // A shell's pipe may end without a line end, and it still wants the answer.
                if let line = lines.finish() { await answer(line, &going) }
                if going.tap != nil || going.watch != nil { try await waitUntilClientLeaves() }
                return try await output.drain(poller: poller)
            case .failed:
                return
            }
        }
    }

    /// What goes on beside the answers.
    private struct Going {
        var tap: EverySubscription?
        var watch: WorkoutWatch?
    }

    private func end(_ going: inout Going) {
        if let tap = going.tap { live.cancel(tap) }
        going.watch?.cancel()
        going = Going()
    }

    private func answer(_ line: ArraySlice<UInt8>, _ going: inout Going) async {
        let people = await answers.people()
        let wearers = await answers.workouts.wearers()
        let types = await answers.types()
        do throws(ConfigurationError) {
            switch try ControlRequest(line: line, people: people, wearers: wearers, types: types) {
            case .status:
                output.send(await answers.status() + [UInt8(ascii: "\n")])
            case .reload:
                output.send(await answers.reload() + [UInt8(ascii: "\n")])
            case .add(let sample):
                output.send(await answers.add(sample) + [UInt8(ascii: "\n")])
            case .take(let records):
                output.send(await answers.take(records) + [UInt8(ascii: "\n")])
            case .workout(let request):
                await answer(request, &going.watch)
            case .tap(let filter):
                if let tap = going.tap { live.cancel(tap) }
                going.tap = startTap(filter)
            }
        } catch {
            output.send(Self.errorLine(error.description, key: error.path))
        }
    }

    private func answer(_ request: WorkoutRequest, _ watch: inout WorkoutWatch?) async {
        do {
            switch request.action {
            case .status:
                output.send(WorkoutLines.all(await answers.workouts.status(of: request.person)))
            case .watch:
                watch?.cancel()
                watch = try await answers.workouts.watch(request) { [output] in output.send($0) }
            default:
                output.send(WorkoutLines.live(try await answers.workouts.handle(request)))
            }
        } catch let error as ConfigurationError {
            output.send(Self.errorLine(error.description, key: error.path))
        } catch {
            output.send(Self.errorLine("\(error)"))
        }
    }

    /// Says what is tapped; nothing that is published after that line is missing behind it.
    private func startTap(_ filter: TapFilter) -> EverySubscription? {
        var json = JSONWriter()
        json.object { $0.object("tap") { filter.write(to: &$0) } }
        var tap: EverySubscription?
        output.send(json.bytes + [UInt8(ascii: "\n")]) {
            tap = live.subscribe { [output] batch in output.send(filter.lines(of: batch)) }
        }
        return tap
    }

    private func sendError(_ problem: String) {
        output.send(Self.errorLine(problem))
    }

    /// The client has ended its side and still reads.
    private func waitUntilClientLeaves() async throws {
        let hungUp = try poller.watch(socket.duplicate(), .hungUp)
        defer { hungUp.close() }
        try await hungUp.wait()
    }

    /// The line for a client that gets no other answer; `key` is the key path of what is wrong in its
    /// request, empty for the whole.
    static func errorLine(_ problem: String, key: String = "") -> [UInt8] {
        var json = JSONWriter()
        json.object { json in
            json.field("error", problem)
            json.field("key", key.isEmpty ? nil : key)
        }
        return json.bytes + [UInt8(ascii: "\n")]
    }
}
