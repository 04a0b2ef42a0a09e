import GatewayCore
import HealthModel
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

    /// Shows the workout of a person until it is over or the person leaves.
    ///
    /// The first answer on this connection to what is sent here is that of the watch.
    func follow(
        _ live: LiveWorkout, _ client: inout ControlClient
    ) throws(CommandFailure) -> End {
        defer { leave() }
        var state = Viewed(live: live, heard: clock.now())
        state.keys.canLeave = canLeave
        show(state)
        try client.post(.workout(WorkoutRequest(.watch, person: live.person)))
        while true {
            let tick = clock.now().adding(seconds: Self.tickSeconds)
            switch try client.nextLines(orInput: keys.descriptor, until: tick) {
            case .lines(let lines):
                for line in lines.split(separator: UInt8(ascii: "\n")) {
                    if let end = state.take(line, at: clock.now()) { return end }
                }
            case .input:
                switch keys.read() {
                case .end: return state.left
                case .nothing: continue
                case .key(let key):
                    guard try press(key, &state, &client) else { return state.left }
                }
            case .nothing: break
            case .end, .readerLeft: return .gatewayLeft
            }
            show(state)
        }
    }

    /// Does what a key means; false when that is to leave.
    private func press(
        _ key: Character, _ state: inout Viewed, _ client: inout ControlClient
    ) throws(CommandFailure) -> Bool {
        state.notice = nil
        let wish = state.keys.wish(of: key, in: state.live.state, at: clock.now())
        let action: WorkoutRequest.Action? =
            switch wish {
            case .leave: nil
            case .pause: .pause
            case .resume: .resume
            case .lap: .lap
            case .stop: .stop
            case nil: nil
            }
        if let action {
            try client.post(.workout(WorkoutRequest(action, person: state.live.person)))
        }
        return wish != .leave
    }

    private func show(_ state: Viewed) {
        let now = clock.now()
        var picture = WorkoutScreen(state.live, style: style)
        picture.canLeave = canLeave
        picture.asksToStop = state.keys.asksToStop(at: now)
        picture.isCutOff = now.seconds(since: state.heard) > Self.silenceSeconds
        picture.notice = state.notice
        screen.show { [picture] columns, rows in picture.lines(columns: columns, rows: rows) }
    }

    /// What is known of the workout that is shown.
    private struct Viewed {
        var live: LiveWorkout
        /// When the last snapshot came.
        var heard: BootInstant
        var keys = WorkoutKeys()
        var notice: String?

        init(live: LiveWorkout, heard: BootInstant) {
            self.live = live
            self.heard = heard
        }

        /// How it ends when the person leaves now.
        ///
        /// One that has stopped is saved; only the recovery of the heart is still awaited.
        var left: End { live.state == .stopped ? .ended(savedAs: live.id) : .left }

        /// Takes a line of the gateway; the end when it tells of that.
        mutating func take(_ line: some Collection<UInt8>, at now: BootInstant) -> End? {
            switch WorkoutAnswer(line) {
            case .live(let new) where new.id == live.id:
                live = new
                heard = now
            case .ended(let id): return .ended(savedAs: id)
            case .live, .all: break
            case nil: notice = ControlClient.problem(in: line)
            }
            return nil
        }
    }
}
