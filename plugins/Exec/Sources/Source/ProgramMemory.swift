import HealthModel
import Synchronization

/// What a source remembers of the lines that it has received, to recognize a repetition.
///
/// It outlives a run of the program. After a restart of the gateway the ids of the records tell a
/// repetition from a new line.
final class ProgramMemory: Sendable {
    /// The maximum number of sessions; the one that was added first is forgotten.
    static let sessionLimit = 64
    /// The maximum number of ids.
    static let idLimit = 4_096
    /// The maximum number of lines with the reason of their refusal.
    static let refusalLimit = 1_000

    private struct State {
        /// The highest number of each session.
        var last: [String?: UInt64] = [:]
        var sessions: [String] = []
        var ids: Set<RecordID> = []
        var order: [RecordID] = []
        var next = 0
        var refusals: [ReadingLineNumber: String] = [:]
    }

    private let state = Mutex(State())

    /// Begins a run of the program: lines without a session are counted anew.
    func beginRun() {
        state.withLock { state in
            state.last[nil] = nil
            state.refusals = state.refusals.filter { $0.key.session != nil }
        }
    }

    /// Forgets everything, because some lines were not stored.
    func clear() {
        state.withLock { $0 = State() }
    }

    /// Notes the number of a line; false if the session has had it, or a higher one.
    func insert(_ number: ReadingLineNumber) -> Bool {
        state.withLock { state in
            if let last = state.last[number.session], number.sequence <= last { return false }
            if let session = number.session, state.last[session] == nil {
                state.sessions.append(session)
                if state.sessions.count > Self.sessionLimit {
                    state.last[state.sessions.removeFirst()] = nil
                }
            }
            state.last[number.session] = number.sequence
            return true
        }
    }

    /// Notes the id of a record; false if it is known.
    func insert(_ id: RecordID) -> Bool {
        state.withLock { state in
            guard state.ids.insert(id).inserted else { return false }
            if state.order.count < Self.idLimit {
                state.order.append(id)
            } else {
                state.ids.remove(state.order[state.next])
                state.order[state.next] = id
                state.next = (state.next + 1) % Self.idLimit
            }
            return true
        }
    }

    /// Notes why a line was refused, to answer its repetition alike.
    func refuse(_ number: ReadingLineNumber, reason: String) {
        state.withLock { state in
            if state.refusals.count >= Self.refusalLimit { state.refusals = [:] }
            state.refusals[number] = reason
        }
    }

    /// Returns why a line was refused; nil if it was not.
    func refusal(of number: ReadingLineNumber) -> String? {
        state.withLock { $0.refusals[number] }
    }
}
