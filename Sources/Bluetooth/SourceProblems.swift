package import GatewayCore
import Platform
import Synchronization

/// The problems of a source: one of the radio or bluetoothd, and those of its programs.
package final class SourceProblems: Sendable {
    private struct State {
        var radio: LinkError?
        /// The problem that ``radio`` describes.
        var shown: CentralProblem?
        var programs: [DecoderPrograms.Key: LinkError] = [:]

        /// The problem to show: the one that affects most devices.
        var first: LinkError? {
            radio ?? programs.min { $0.key.device < $1.key.device }?.value
        }
    }

    private let state = Mutex(State())
    private let inlet: any ReadingInlet
    private let log: Logger
    private let radio: RadioProblems.Member?

    package init(inlet: any ReadingInlet, context: ComponentContext) {
        self.inlet = inlet
        log = context.log
        radio = context.radioProblems?.member(named: context.name)
    }

    /// Ends the source's part in the problems that it shares with other components.
    package func end() { radio?.leave() }

    /// Shows and logs another problem of the radio or bluetoothd; nil clears it.
    package func show(_ new: CentralProblem?) async {
        let error = new?.error(radioBlock: RadioBlock.read())
        let old = state.withLock { state in
            defer { state.shown = new }
            return state.shown
        }
        radio?.set(new?.kind == .radio ? error : nil)
        log.problem(old, replacedBy: new, error)
        await update { $0.radio = error }
    }

    /// Sets the problem of a program; nil clears it.
    func set(_ problem: LinkError?, of key: DecoderPrograms.Key) async {
        await update { state in
            state.programs[key] = problem.map {
                $0.with(problem: "\(key.device): \($0.problem)")
            }
        }
    }

    /// Clears the problems of the programs of a device.
    func clear(device: String) async {
        await update { state in
            state.programs = state.programs.filter { $0.key.device != device }
        }
    }

    private func update(_ change: (inout State) -> Void) async {
        let (before, after) = state.withLock { state in
            let before = state.first
            change(&state)
            return (before, state.first)
        }
        if before != after { await inlet.note(problem: after) }
    }
}
