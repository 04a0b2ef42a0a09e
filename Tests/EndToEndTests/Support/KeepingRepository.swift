import GatewayTesting
import HTTPTesting
import HealthModel
import Synchronization

/// A repository that keeps each record once, by its id, and notes what should never come.
final class KeepingRepository: Sendable {
    /// What it does with a request.
    enum Answer: Sendable {
        /// Keeps the batch and says so.
        case keep
        /// Keeps the batch, but the answer is another one.
        case keepUnsaid(ScriptedReaction)
        /// Keeps nothing.
        case fail(ScriptedReaction)
    }

    fileprivate struct State {
        var records: [RecordID: Record] = [:]
        var deletions: [DeletedRecord] = []
        var findings: [String] = []
        var acknowledged: Set<RecordID> = []
        var repeats = 0
        var requests = 0
        var answer: @Sendable (Int) -> Answer
    }

    private let state: Mutex<State>

    /// - Parameter answer: Decides for each request, counted from 1.
    init(_ answer: @escaping @Sendable (Int) -> Answer = { _ in .keep }) {
        state = Mutex(State(answer: answer))
    }

    /// All that was kept, by id.
    var records: [RecordID: Record] { state.withLock { $0.records } }
    /// The deletions, in the order of their arrival; one may have come again.
    var deletions: [DeletedRecord] { state.withLock { $0.deletions } }
    /// Records that came with an id of others, and bodies that could not be read.
    var findings: [String] { state.withLock { $0.findings } }
    /// How many records came again though they were acknowledged.
    var repeats: Int { state.withLock { $0.repeats } }

    /// Answers like this from now on.
    func set(_ answer: @escaping @Sendable (Int) -> Answer) {
        state.withLock { $0.answer = answer }
    }

    func makeServer() throws -> ScriptedHTTPServer {
        try ScriptedHTTPServer { [self] _, _ in .decide { self.react(to: $0) } }
    }

    private func react(to request: ReceivedHTTPRequest) -> ScriptedReaction {
        state.withLock { state in
            state.requests += 1
            switch state.answer(state.requests) {
            case .keep:
                state.keep(request.body, isSaid: true)
                return .answer(ScriptedAnswer(status: 204))
            case .keepUnsaid(let reaction):
                state.keep(request.body, isSaid: false)
                return reaction
            case .fail(let reaction): return reaction
            }
        }
    }
}

extension KeepingRepository.State {
    fileprivate mutating func keep(_ body: [UInt8], isSaid: Bool) {
        // Deletions come only from a store.
        var decoder = RecordDecoder(allowingUndeclared: true)
        for object in Self.objects(in: body) {
            do {
                let record = try decoder.decode(object)
                if case .deletion(let deleted) = record {
                    records[deleted.id] = nil
                    deletions.append(deleted)
                    continue
                }
                if let old = records[record.id], old != record {
                    findings.append("\(record.id) came with two contents")
                }
                if acknowledged.contains(record.id) { repeats += 1 }
                if isSaid { acknowledged.insert(record.id) }
                records[record.id] = record
            } catch {
                findings.append("no record: \(error)")
            }
        }
    }

    /// The objects in the lists of a body of the format `json`.
    private static func objects(in body: [UInt8]) -> [ArraySlice<UInt8>] {
        var objects: [ArraySlice<UInt8>] = []
        var (depth, start, isText, isEscaped) = (0, 0, false, false)
        for (index, byte) in body.enumerated() {
            if isEscaped {
                isEscaped = false
            } else if isText {
                isEscaped = byte == UInt8(ascii: "\\")
                if byte == UInt8(ascii: "\"") { isText = false }
            } else if byte == UInt8(ascii: "\"") {
                isText = true
            } else if byte == UInt8(ascii: "{") {
                depth += 1
                if depth == 2 { start = index }
            } else if byte == UInt8(ascii: "}") {
                if depth == 2 { objects.append(body[start...index]) }
                depth -= 1
            }
        }
        return objects
    }
}
