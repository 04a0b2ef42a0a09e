import GatewayCore
import GatewayHost
import HealthModel
import Platform
import Terminal
import WorkoutScreens
import WorkoutService
import Workouts

/// The live screen of a workout, with keys, at a terminal.
final class WorkoutView: Sendable {
    /// How the view ended.
    enum End: Equatable {
        /// The user left; the workout continues.
        case left
        /// The workout has ended; saved under an id, or discarded.
        case ended(savedAs: RecordID?)
        /// The gateway has stopped.
        case gatewayStopped
    }

    /// Time after the last snapshot until it is shown as stale, in seconds.
    private static let silenceSeconds = 5.0
    /// Maximum time that leaving waits for a stopped workout to be saved, in seconds.
    private static let saveSeconds = 3.0
    /// Interval of screen updates without other events, in seconds.
    private static let tickSeconds = 1.0

    private let screen: FullScreen
    private let keys: TerminalKeys
    private let style: ScreenStyle
    private let canLeave: Bool
    private let clock = SystemClock()

    /// Takes over the terminal; nil when there is none or JSON is requested.
    ///
    /// - Parameter canLeave: Whether the workout continues when the user leaves the screen.
    init?(_ call: Subcommand.Call, people: People, canLeave: Bool = true) {
        guard Self.isPossible(call), let screen = FullScreen.forOutput(call.environment),
            let keys = TerminalKeys(clock: clock)
        else { return nil }
        self.screen = screen
        self.keys = keys
        self.canLeave = canLeave
        style = ScreenStyle(
            painter: Painter(.output, environment: call.environment),
            characters: TerminalCharacters(call.environment),
            format: QuantityFormat(unit: nil, people: people))
    }

    /// Whether the call can show a screen.
    static func isPossible(_ call: Subcommand.Call) -> Bool {
        !call.arguments.has("--json") && StandardStream.output.isTerminal
            && StandardStream(descriptor: 0).isTerminal
    }

    /// Queues a log line, which is printed when the screen is left.
    func log(_ line: String) { screen.writeLog(line) }

    /// Restores the terminal.
    func leave() {
        screen.leave()
        keys.restore()
    }

    /// Makes SIGINT and SIGTERM leave the screen and end the process; the workout continues.
    func leaveAtSignal() {
        StopSignal.exitAtSignal { [self] in leave() }
    }

    // MARK: Following

    /// An event of the view.
    private enum Event {
        case update(WorkoutLinkUpdate)
        case key(TerminalKeys.Reading)
        case tick
    }

    /// Shows a workout until it ends or the user leaves.
    func follow(_ live: LiveWorkout, over link: some WorkoutLink) async -> End {
        defer { leave() }
        let (events, input) = AsyncStream.makeStream(of: Event.self)
        return await withTaskGroup(of: Void.self) { group in
            defer { group.cancelAll() }
            group.addTask { await link.watch(live.person) { input.yield(.update($0)) } }
            group.addTask { await self.keys.readAll { input.yield(.key($0)) } }
            group.addTask { await self.tick { input.yield(.tick) } }
            var state = ViewState(live: live, lastUpdate: clock.now())
            state.keys.canLeave = canLeave
            show(state)
            for await event in events {
                switch event {
                case .update(let update):
                    if let end = state.apply(update, at: clock.now()) { return end }
                case .key(.end): leave(&state)
                case .key(.nothing): continue
                case .key(.key(let key)):
                    guard let action = press(key, &state) else {
                        leave(&state)
                        break
                    }
                    guard let action else { break }
                    group.addTask {
                        await link.send(action, live.person) { input.yield(.update($0)) }
                    }
                case .tick: break
                }
                if let end = state.end(at: clock.now()) { return end }
                show(state)
            }
            // The task was cancelled: the gateway in this process has ended.
            return .gatewayStopped
        }
    }

    /// Leaves immediately, unless a gateway that continues has yet to save the workout.
    private func leave(_ state: inout ViewState) {
        let waits = canLeave && state.live.state == .stopped && !state.live.isSaved
        let end = clock.now().adding(seconds: waits ? Self.saveSeconds : 0)
        state.leaving = min(state.leaving ?? end, end)
    }

    private func tick(_ report: () -> Void) async {
        while (try? await clock.sleep(seconds: Self.tickSeconds)) != nil { report() }
    }

    /// The action of a key, if any; nil for leaving.
    private func press(_ key: Character, _ state: inout ViewState) -> WorkoutRequest.Action?? {
        state.notice = nil
        return switch state.keys.command(of: key, in: state.live.state, at: clock.now()) {
        case .leave: .none
        case .pause: .some(.pause)
        case .resume: .some(.resume)
        case .lap: .some(.lap)
        case .stop: .some(.stop)
        case nil: .some(nil)
        }
    }

    private func show(_ state: ViewState) {
        let now = clock.now()
        var picture = WorkoutScreen(state.live, style: style)
        picture.canLeave = canLeave
        picture.isConfirmingStop = state.keys.isConfirmingStop(at: now)
        picture.isStale = now.seconds(since: state.lastUpdate) > Self.silenceSeconds
        picture.notice = state.notice
        screen.show { [picture] columns, rows in picture.lines(columns: columns, rows: rows) }
    }

    /// The state of the view.
    private struct ViewState {
        var live: LiveWorkout
        /// The time of the last snapshot.
        var lastUpdate: BootInstant
        var keys = WorkoutKeys()
        var notice: String?
        /// The time by which the view ends after the user left; nil before.
        var leaving: BootInstant?

        init(live: LiveWorkout, lastUpdate: BootInstant) {
            self.live = live
            self.lastUpdate = lastUpdate
        }

        /// The end when the user leaves now.
        ///
        /// A stopped workout is saved; only the heart rate recovery is still being measured.
        var left: End { live.state == .stopped ? .ended(savedAs: live.id) : .left }

        /// Applies an update of the workout; returns how the view ends, if it does.
        mutating func apply(_ update: WorkoutLinkUpdate, at now: BootInstant) -> End? {
            switch update {
            case .live(let new) where new.id == live.id:
                live = new
                lastUpdate = now
            case .live: break
            case .ended(let id): return .ended(savedAs: id)
            case .problem(let problem): notice = problem
            case .gatewayStopped: return leaving == nil ? .gatewayStopped : left
            }
            return nil
        }

        /// How the view ends; nil before the user leaves, or while the workout is not saved yet.
        func end(at now: BootInstant) -> End? {
            guard let leaving else { return nil }
            return live.isSaved || now >= leaving ? left : nil
        }
    }
}
