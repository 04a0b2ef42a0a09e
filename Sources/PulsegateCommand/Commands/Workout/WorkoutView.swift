import GatewayCore
import GatewayHost
import HealthModel
import Platform
import Terminal
import WorkoutScreens
import WorkoutService
import Workouts

/// The live screen of a workout, on a terminal that has keys.
final class WorkoutView: Sendable {
    /// How the view ended.
    enum End: Equatable {
        /// The person left; the workout goes on.
        case left
        /// The workout is over; saved under an id, or not.
        case ended(savedAs: RecordID?)
        /// The gateway has gone away.
        case gatewayLeft
    }

    /// So long after the last snapshot the screen says that the gateway is silent, in seconds.
    private static let silenceSeconds = 5.0
    /// Who leaves after the stop is kept for so long until the workout is saved, in seconds.
    private static let saveSeconds = 3.0
    /// The screen is looked at that often while nothing comes, in seconds.
    private static let tickSeconds = 1.0

    private let screen: FullScreen
    private let keys: TerminalKeys
    private let style: ScreenStyle
    private let canLeave: Bool
    private let clock = SystemClock()

    /// Takes over the terminal; nil where a person does not sit in front of one, or wants JSON.
    ///
    /// - Parameter canLeave: Whether the workout goes on without the one who looks at it.
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

    /// Whether there may be a screen at all.
    static func isPossible(_ call: Subcommand.Call) -> Bool {
        !call.arguments.has("--json") && StandardStream.output.isTerminal
            && StandardStream(descriptor: 0).isTerminal
    }

    /// Takes a line of the log, which is shown when the screen is left.
    func log(_ line: String) { screen.writeLog(line) }

    /// Gives the terminal back.
    func leave() {
        screen.leave()
        keys.restore()
    }

    /// Lets SIGINT and SIGTERM leave the screen and end the process; the workout goes on.
    func leaveAtSignal() {
        StopSignal.listenToEndProcess { [self] in leave() }
    }

    // MARK: Following

    /// What the view waits for.
    private enum Event {
        case news(WorkoutNews)
        case key(TerminalKeys.Reading)
        case tick
    }

    /// Shows the workout of a person until it is over or the person leaves.
    func follow(_ live: LiveWorkout, over link: some WorkoutLink) async -> End {
        defer { leave() }
        let (events, input) = AsyncStream.makeStream(of: Event.self)
        return await withTaskGroup(of: Void.self) { group in
            defer { group.cancelAll() }
            group.addTask { await link.watch(live.person) { input.yield(.news($0)) } }
            group.addTask { await self.readKeys { input.yield(.key($0)) } }
            group.addTask { await self.tick { input.yield(.tick) } }
            var state = Viewed(live: live, lastUpdate: clock.now())
            state.keys.canLeave = canLeave
            show(state)
            for await event in events {
                switch event {
                case .news(let news):
                    if let end = state.take(news, at: clock.now()) { return end }
                case .key(.end): leave(&state)
                case .key(.nothing): continue
                case .key(.key(let key)):
                    guard let action = press(key, &state) else {
                        leave(&state)
                        break
                    }
                    guard let action else { break }
                    group.addTask {
                        await link.send(action, live.person) { input.yield(.news($0)) }
                    }
                case .tick: break
                }
                if let end = state.end(at: clock.now()) { return end }
                show(state)
            }
            // The task was cancelled: the gateway in this process has ended.
            return .gatewayLeft
        }
    }

    /// The person leaves: at once, unless a gateway that goes on has still to save the workout.
    private func leave(_ state: inout Viewed) {
        let waits = canLeave && state.live.state == .stopped && !state.live.isSaved
        let end = clock.now().adding(seconds: waits ? Self.saveSeconds : 0)
        state.leaving = min(state.leaving ?? end, end)
    }

    private func readKeys(_ report: (TerminalKeys.Reading) -> Void) async {
        let poller = DescriptorPoller()
        guard let readable = try? poller.watch(keys, .readable) else { return report(.end) }
        defer { readable.close() }
        while (try? await readable.wait()) != nil {
            let reading = keys.read()
            report(reading)
            if reading == .end { return }
        }
    }

    private func tick(_ report: () -> Void) async {
        while (try? await clock.sleep(seconds: Self.tickSeconds)) != nil { report() }
    }

    /// The action that a key stands for, if any; nil when it is to leave.
    private func press(_ key: Character, _ state: inout Viewed) -> WorkoutRequest.Action?? {
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

    private func show(_ state: Viewed) {
        let now = clock.now()
        var picture = WorkoutScreen(state.live, style: style)
        picture.canLeave = canLeave
        picture.asksToStop = state.keys.asksToStop(at: now)
        picture.isCutOff = now.seconds(since: state.lastUpdate) > Self.silenceSeconds
        picture.notice = state.notice
        screen.show { [picture] columns, rows in picture.lines(columns: columns, rows: rows) }
    }

    /// What is known of the workout that is shown.
    private struct Viewed {
        var live: LiveWorkout
        /// When the last snapshot came.
        var lastUpdate: BootInstant
        var keys = WorkoutKeys()
        var notice: String?
        /// When the view ends at the latest, because the person leaves.
        var leaving: BootInstant?

        init(live: LiveWorkout, lastUpdate: BootInstant) {
            self.live = live
            self.lastUpdate = lastUpdate
        }

        /// How it ends when the person leaves now.
        ///
        /// One that has stopped is saved; only the recovery of the heart is still to come.
        var left: End { live.state == .stopped ? .ended(savedAs: live.id) : .left }

        /// Takes news of the workout; the end when that is what they are.
        mutating func take(_ news: WorkoutNews, at now: BootInstant) -> End? {
            switch news {
            case .live(let new) where new.id == live.id:
                live = new
                lastUpdate = now
            case .live: break
            case .ended(let id): return .ended(savedAs: id)
            case .problem(let problem): notice = problem
            case .gatewayLeft: return leaving == nil ? .gatewayLeft : left
            }
            return nil
        }

        /// How it ends now that the person leaves; nil when nobody does, or the workout is still to be
        /// saved.
        func end(at now: BootInstant) -> End? {
            guard let leaving else { return nil }
            return live.isSaved || now >= leaving ? left : nil
        }
    }
}
