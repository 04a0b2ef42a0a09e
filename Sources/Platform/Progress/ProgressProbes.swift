import Synchronization

/// A part of the gateway that must make progress.
package enum ProbedLoop: Hashable, Sendable, CustomStringConvertible {
    /// The ingest pipeline.
    case pipeline
    /// The journal with its commits.
    case journal
    /// The event loop of the source with this name.
    case source(String)

    /// The part's name, for the log.
    package var description: String {
        switch self {
        case .pipeline: "pipeline"
        case .journal: "journal"
        case .source(let name): "source \(name)"
        }
    }
}

/// The probes of the loops that must make progress.
///
/// A probe asks a loop for an answer that it gives in passing. Nothing is asked, and no loop is woken, before
/// a ``ProgressWatchdog`` asks.
package final class ProgressProbes: Sendable {
    /// Asks a loop to call a function.
    package typealias Ask = @Sendable (_ answer: @escaping @Sendable () -> Void) -> Void

    private struct State {
        var probes: [UInt64: (loop: ProbedLoop, ask: Ask)] = [:]
        /// The loops that have been asked and have not answered.
        var pending: [UInt64: ProbedLoop] = [:]
        var nextNumber: UInt64 = 0
        var observer: (@Sendable () -> Void)?

        /// Removes a question; returns the observer when it was the last one.
        mutating func end(_ number: UInt64) -> (@Sendable () -> Void)? {
            guard pending.removeValue(forKey: number) != nil, pending.isEmpty else { return nil }
            return observer
        }
    }

    private let state = Mutex(State())

    /// Makes a table without probes.
    package init() {}

    /// Adds the probe of a loop, which is in use until the result is released.
    package func add(_ loop: ProbedLoop, ask: @escaping Ask) -> ProgressProbe {
        let number = state.withLock { state in
            defer { state.nextNumber += 1 }
            state.probes[state.nextNumber] = (loop, ask)
            return state.nextNumber
        }
        return ProgressProbe(self, number)
    }

    fileprivate func remove(_ number: UInt64) {
        let observer = state.withLock { state in
            state.probes[number] = nil
            return state.end(number)
        }
        observer?()
    }

    // MARK: For the watchdog

    /// Calls a function whenever the last loop has answered.
    func observe(_ observer: @escaping @Sendable () -> Void) {
        state.withLock { $0.observer = observer }
    }

    /// Asks every loop that has answered before.
    func ask() {
        let asked = state.withLock { state in
            let asked = state.probes.filter { state.pending[$0.key] == nil }
            for (number, probe) in asked { state.pending[number] = probe.loop }
            return asked
        }
        for (number, probe) in asked {
            probe.ask { [self] in
                let observer = state.withLock { $0.end(number) }
                observer?()
            }
        }
    }

    /// The loops that are asked, in the order of their probes.
    package var loops: [ProbedLoop] {
        state.withLock { $0.probes.sorted { $0.key < $1.key }.map(\.value.loop) }
    }

    /// The loops that have not answered, without repetitions, in a fixed order.
    var pending: [ProbedLoop] {
        let loops = state.withLock { Set($0.pending.values) }
        return loops.sorted { $0.rank < $1.rank }
    }
}

/// A probe of a loop; it ends with its last reference.
public final class ProgressProbe: Sendable {
    private let probes: ProgressProbes
    private let number: UInt64

    fileprivate init(_ probes: ProgressProbes, _ number: UInt64) {
        self.probes = probes
        self.number = number
    }

    deinit {
        probes.remove(number)
    }
}

extension ProbedLoop {
    /// What a source waits for comes before the sources.
    fileprivate var rank: (Int, String) {
        switch self {
        case .pipeline: (0, "")
        case .journal: (1, "")
        case .source(let name): (2, name)
        }
    }
}
