import GatewayCore
import Glibc
import HealthModel
import Synchronization
import Workouts

/// A gateway that runs for a workout, because no other does.
struct WorkoutGateway: Sendable {
    /// How long the conversation may take to begin, and to end after the gateway has, in seconds.
    private static let patienceSeconds = 5.0
    private static let lookMicroseconds: UInt32 = 20_000

    let call: Subcommand.Call
    let files: CommandFiles
    /// What it is asked.
    let request: WorkoutRequest

    /// Runs until the workout has ended, or until it is told to stop; then the workout is saved.
    func run() async throws(CommandFailure) -> ExitStatus {
        let stop = StopSignal()
        stop.listen()
        let view = WorkoutView(call, people: try files.people(), canLeave: false)
        let clock = SystemClock()
        let queue = LogQueue { line in
            if let view { view.log(line) } else { StandardStream.error.write(line) }
        }
        let whole = LogOutput.logger(environment: call.environment, queue: queue)
        // A person who looks at a workout has no eye for more than what goes wrong.
        let log =
            view == nil
            ? whole
            : Logger(component: "pulsegate") { record in
                guard record.level >= .warning else { return }
                queue.append(LogFormat.plain(record))
            }
        let conversation = Conversation()
        try await runGateway(stop, clock: clock, log: log, finishing: { conversation.person }) {
            SystemThread.start(name: "workout") {
                conversation.end(with: converse(view, clock: clock) { conversation.begin(of: $0) })
                stop.stop()
            }
        }
        let result = await conversation.result()
        await queue.drain(seconds: RunCommand.logSeconds, clock: clock)
        let (end, live) = try result.get()
        let report = WorkoutEnd(files: files, call: call)
        if case .ended(savedAs: nil) = end { return try await report.report(end, of: live) }
        // Whoever left has ended the gateway, and so the workout.
        return try await report.reportFinished(live)
    }

    private func runGateway(
        _ stop: StopSignal, clock: SystemClock, log: Logger,
        finishing person: @escaping @Sendable () -> String?, beside: @escaping @Sendable () -> Void
    ) async throws(CommandFailure) {
        let (file, folder) = (files.configuration, files.folder)
        let plan =
            files.isSimulation
            ? GatewayPlan(simulating: file, folder: folder)
            : try GatewayPlan(file: file, folder: folder)
        let findStore = { @Sendable [files] (plan: GatewayPlan) throws(CommandFailure) in
            try StoreFile(plan.file, plan.folder, isSimulation: files.isSimulation)
        }
        _ = try findStore(plan)
        let maker = PartsMaker(
            plugins: call.plugins, environment: call.environment, clock: clock, log: log)
        let parts =
            files.isSimulation
            ? try maker.simulation(of: plan, writesLines: false) : try maker.parts(of: plan)
        try folder.create()
        let lock = try DataFolderLock(folder)
        defer { withExtendedLifetime(lock) {} }
        let setup = GatewaySetup(
            plan: plan, maker: maker, clock: clock, log: log, load: nil, findStore: findStore,
            lock: lock, executor: call.executor)
        try await setup.run(
            until: stop, seconds: nil, screen: nil, finishing: person, beside: beside
        ) { () throws(CommandFailure) in parts }
    }

    // MARK: The conversation, on a thread of its own

    /// Begins the workout, or joins the one that goes on since an earlier run, and follows it.
    private func converse(
        _ view: WorkoutView?, clock: SystemClock, begun: (String) -> Void
    ) -> Result<(WorkoutView.End, LiveWorkout), CommandFailure> {
        do throws(CommandFailure) {
            var client = try connect(clock)
            let live = try begin(&client)
            begun(live.person)
            if let view { return .success((try view.follow(live, &client), live)) }
            return .success((try wait(for: live, &client), live))
        } catch {
            return .failure(error)
        }
    }

    /// Waits without a screen until the workout is over.
    private func wait(
        for live: LiveWorkout, _ client: inout ControlClient
    ) throws(CommandFailure) -> WorkoutView.End {
        try client.post(.workout(WorkoutRequest(.watch, person: live.person)))
        while case .lines(let lines) = try client.nextLines(whileReading: -1) {
            for line in lines.split(separator: UInt8(ascii: "\n")) {
                if case .ended(let id) = WorkoutAnswer(line) { return .ended(savedAs: id) }
            }
        }
        return .gatewayLeft
    }

    private func begin(_ client: inout ControlClient) throws(CommandFailure) -> LiveWorkout {
        let asked = WorkoutRequest(.status, person: request.person)
        if case .all(let workouts) = WorkoutAnswer(try client.ask(.workout(asked))),
            let old = workouts.first(where: { $0.state != .stopped })
        {
            StandardStream.error.write(
                "pulsegate: the workout of \(old.person) from "
                    + "\(LocalTime.text(old.start)) goes on: \(old.activity.name)\n")
            return old
        }
        let line = try client.ask(.workout(request))
        guard case .live(let live) = WorkoutAnswer(line) else { throw client.unknownAnswer }
        if WorkoutView.isPossible(call) { return live }
        try WorkoutStartCommand.report(live, line, call.arguments)
        return live
    }

    /// The gateway listens in a moment.
    private func connect(_ clock: SystemClock) throws(CommandFailure) -> ControlClient {
        let end = clock.now().adding(seconds: Self.patienceSeconds)
        while true {
            do throws(CommandFailure) {
                return try ControlClient(
                    files.folder, isSimulation: files.isSimulation, clock: clock)
            } catch {
                guard clock.now() < end else { throw error }
                usleep(Self.lookMicroseconds)
            }
        }
    }
}

/// What comes of a conversation on another thread.
private final class Conversation: Sendable {
    typealias Outcome = Result<(WorkoutView.End, LiveWorkout), CommandFailure>

    private let outcome = Mutex<Outcome?>(nil)
    private let wearer = Mutex<String?>(nil)
    private let done: AsyncStream<Void>
    private let signal: AsyncStream<Void>.Continuation

    init() {
        (done, signal) = AsyncStream.makeStream()
    }

    /// Whose workout it is about; nil before there is one.
    var person: String? { wearer.withLock { $0 } }

    func begin(of person: String) { wearer.withLock { $0 = person } }

    func end(with result: Outcome) {
        outcome.withLock { $0 = result }
        signal.finish()
    }

    /// Waits until it has ended, which it does with the gateway.
    func result() async -> Outcome {
        for await _ in done {}
        return outcome.withLock { $0 } ?? .failure(CommandFailure(.failure, "it did not begin"))
    }
}
