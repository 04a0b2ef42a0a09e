import ControlSocket
import GatewayCore
import GatewayHost
import HealthModel
import Platform
import Synchronization
import Terminal
import WorkoutService
import Workouts

/// A gateway that runs for one workout, when no other gateway runs.
struct WorkoutGateway: Sendable {
    let call: Subcommand.Call
    let files: CommandFiles
    /// The request that starts the workout.
    let request: WorkoutRequest

    /// Runs until the workout has ended or a signal stops it, then saves the workout.
    func run() async throws(HostError) -> ExitStatus {
        let stop = StopSignal()
        stop.listen()
        let plan = try GatewayPlan(files, call.plugins)
        _ = try StoreFile(files)
        let view = WorkoutView(call, people: try files.people(), canLeave: false)
        let clock = SystemClock()
        let queue = LogQueue { line in
            if let view { view.log(line) } else { StandardStream.error.write(line) }
        }
        let log = logger(queue, isOnScreen: view != nil)
        let workout = HostedWorkout(request: request, call: call, view: view, stop: stop)
        let host = GatewayHost(
            plugins: call.plugins, environment: call.environment, clock: clock, log: log,
            executor: call.executor)
        var options = GatewayHost.Options()
        options.simulation = files.isSimulation ? .store : nil
        if !files.isSimulation {
            options.loadConfiguration = { [call] () throws(HostError) in
                try call.files().configuration
            }
        }
        GatewayInterface(call, clock: clock, log: log, isSimulation: files.isSimulation)
            .add(to: &options)
        options.transports.append { _ in workout }
        options.beforeStop = { await workout.finish($0) }
        try await host.run(plan, options, until: stop)
        await queue.drain(seconds: LogOutput.drainSeconds, clock: clock)
        return try await report(try workout.result())
    }

    /// The log; while the screen is shown, only warnings and errors.
    private func logger(_ queue: LogQueue, isOnScreen: Bool) -> Logger {
        guard isOnScreen else {
            return LogOutput.logger(environment: call.environment, queue: queue)
        }
        return Logger(component: "pulsegate") { record in
            guard record.level >= .warning else { return }
            queue.append(LogFormat.plain(record))
        }
    }

    private func report(
        _ outcome: (end: WorkoutView.End, live: LiveWorkout)
    ) async throws(HostError) -> ExitStatus {
        let report = WorkoutEndReport(files: files, call: call)
        if case .ended(savedAs: nil) = outcome.end {
            return try await report.report(outcome.end, of: outcome.live)
        }
        // Leaving the view has ended the gateway, and so the workout.
        return try await report.reportFinished(outcome.live)
    }
}

/// The workout of a ``WorkoutGateway``; stops the gateway at its end.
private final class HostedWorkout: ServiceTransport {
    private let request: WorkoutRequest
    private let call: Subcommand.Call
    private let view: WorkoutView?
    private let stop: StopSignal
    private let outcome = Mutex<Result<(WorkoutView.End, LiveWorkout), HostError>?>(nil)
    private let person = Mutex<String?>(nil)

    init(request: WorkoutRequest, call: Subcommand.Call, view: WorkoutView?, stop: StopSignal) {
        self.request = request
        self.call = call
        self.view = view
        self.stop = stop
    }

    /// Starts the workout, or joins the one continued from an earlier run, and follows it.
    func run(_ service: GatewayService) async {
        do throws(HostError) {
            let live = try await start(service)
            person.withLock { $0 = live.person }
            let link = DirectWorkoutLink(service: service)
            let end =
                if let view {
                    await view.follow(live, over: link)
                } else {
                    await Self.wait(for: live, over: link)
                }
            outcome.withLock { $0 = .success((end, live)) }
        } catch {
            outcome.withLock { $0 = .failure(error) }
        }
        stop.stop()
    }

    /// Stops and saves the workout when the gateway stops.
    func finish(_ service: GatewayService) async {
        if let person = person.withLock({ $0 }) { await service.workouts.finish(person) }
    }

    /// How the workout ended.
    func result() throws(HostError) -> (WorkoutView.End, LiveWorkout) {
        guard let outcome = outcome.withLock({ $0 }) else {
            throw HostError(.failure, "the workout did not start")
        }
        return try outcome.get()
    }

    private func start(_ service: GatewayService) async throws(HostError) -> LiveWorkout {
        if let old = await service.workouts.status(of: request.person)
            .first(where: { $0.state != .stopped })
        {
            StandardStream.error.write(
                "pulsegate: the workout of \(old.person) from "
                    + "\(LocalTime.text(old.start)) continues: \(old.activity.name)\n")
            return old
        }
        let live: LiveWorkout
        do {
            live = try await service.workouts.handle(request)
        } catch {
            throw ControlClient.failure(
                of: error, arguments: WorkoutStartCommand.errorPlaces(call.arguments))
        }
        if view == nil { try WorkoutStartCommand.report(live, call.arguments) }
        return live
    }

    /// Waits without a screen for the end of the workout.
    private static func wait(
        for live: LiveWorkout, over link: DirectWorkoutLink
    ) async -> WorkoutView.End {
        let (ends, input) = AsyncStream.makeStream(of: WorkoutView.End.self)
        return await withTaskGroup(of: Void.self) { group in
            defer { group.cancelAll() }
            group.addTask {
                await link.watch(live.person) { update in
                    switch update {
                    case .ended(let id): input.yield(.ended(savedAs: id))
                    case .gatewayStopped: input.yield(.gatewayStopped)
                    case .live, .problem: break
                    }
                }
            }
            for await end in ends { return end }
            return .gatewayStopped
        }
    }
}
