package import Platform
import Synchronization

/// The problems of Bluetooth that several components have at the same time, such as a missing
/// bluetoothd: each is logged once, with the names of the components.
///
/// It is logged when it has lasted: bluetoothd that ends removes its adapters first.
package final class RadioProblems: Sendable {
    /// The time from a change to the log, in seconds.
    package static let settleSeconds = 1.0

    fileprivate struct State {
        var lastNumber = 0
        var names: [Int: String] = [:]
        /// The problems by the number of the component: as they are, and as they were logged.
        var problems: [Int: LinkError] = [:]
        var logged: [Int: LinkError] = [:]
    }

    private let state = Mutex(State())
    private let timer = DeadlineTimer()
    private let clock: any GatewayClock
    private let log: Logger

    /// Makes a log of problems; it logs in `run`.
    package init(clock: any GatewayClock, log: Logger) {
        self.clock = clock
        self.log = log.named("bluetooth")
    }

    /// Logs until the task is cancelled.
    package func run() async {
        await timer.run(on: clock) { self.settle() }
    }

    /// Adds a component without a problem.
    package func member(named name: String) -> Member {
        state.withLock { state in
            state.lastNumber += 1
            state.names[state.lastNumber] = name
            return Member(problems: self, number: state.lastNumber)
        }
    }

    /// A component that uses Bluetooth.
    package struct Member: Sendable {
        fileprivate let problems: RadioProblems
        fileprivate let number: Int

        /// Sets the problem of the component; nil clears it.
        package func set(_ problem: LinkError?) { problems.set(problem, of: number) }

        /// Removes the component, which has ended.
        package func leave() { problems.remove(number) }
    }

    private func set(_ problem: LinkError?, of number: Int) {
        let settled = clock.now().adding(seconds: Self.settleSeconds)
        state.withLock { state in
            state.problems[number] = problem
            // Only here: another component may have a problem meanwhile, which must be logged.
            timer.set(state.problems != state.logged ? settled : nil)
        }
    }

    /// What has not been logged is logged before, as at the end of a short run.
    private func remove(_ number: Int) {
        settle()
        state.withLock { state in
            (state.names[number], state.problems[number], state.logged[number]) = (nil, nil, nil)
        }
    }

    /// Logs what has changed since the last time.
    private func settle() {
        let (begun, ended) = state.withLock { state in
            defer { state.logged = state.problems }
            let begun = state.problems.filter { state.logged[$0.key] != $0.value }
            let ended = state.logged.keys.filter { state.problems[$0] == nil }
            let groups = Dictionary(grouping: begun.keys) { begun[$0]?.description ?? "" }
            return (groups.mapValues { state.list($0) }, state.list(ended))
        }
        for (reason, names) in begun.sorted(by: { $0.key < $1.key }) {
            log.warning("Bluetooth unavailable", ["reason": reason, "affected": names])
        }
        if !ended.isEmpty { log.info("Bluetooth recovered", ["affected": ended]) }
    }
}

extension RadioProblems.State {
    /// The names of components, in order.
    fileprivate func list(_ numbers: [Int]) -> String {
        numbers.compactMap { names[$0] }.sorted().joined(separator: ", ")
    }
}
