import ControlSocket
import GatewayCore
import GatewayHost
import HealthModel
import Terminal
import WorkoutService
import Workouts

/// `pulsegate workout start`: starts a workout and shows it live at a terminal.
///
/// If no gateway is running, the command runs one until the workout ends.
struct WorkoutStartCommand: Command {
    static let catchesStopSignals = true

    static let syntax = CommandSyntax(
        name: "workout start",
        summary: "Start a workout and show it live at a terminal.",
        options: [
            WorkoutActions.person,
            CommandSyntax.Option(
                name: "--activity", value: "A", kind: .activity,
                help: "running, walking, cycling, … or an activity declared in the configuration"),
            CommandSyntax.Option(name: "--indoor", help: "indoor workout"),
            CommandSyntax.Option(name: "--outdoor", help: "outdoor workout"),
            CommandSyntax.Option(
                name: "--plan", value: "FILE", kind: .file,
                help: "follow the steps of a plan (JSON5)"
            ),
            CommandSyntax.json, CommandSyntax.simulate,
        ],
        details: """
            Activities have HealthKit's names. If no gateway is running, this command runs one until the
            workout is stopped; SIGINT or SIGTERM stops and saves it. In a pipe or with --json there is
            no live screen.
            Keys: p pause or resume, l lap, s stop, q leave. With a running gateway, q leaves the screen
            and the workout continues; `pulsegate workout watch` shows it again. Without one, q stops the
            workout, after a confirmation as for s.
            """)

    /// Maximum size of a plan, in bytes.
    static let maximumPlanSize = 32_768

    let call: Subcommand.Call

    func run() async throws(HostError) -> ExitStatus {
        let files = try call.files()
        let people = try files.knownPeople()
        let person = try PersonArgument(arguments, people, areAll: !files.areOfAnotherUser)
        let request = try request(of: person.name)
        guard files.areOfAnotherUser || DataDirectoryLock.owner(of: files.folder) != nil else {
            return try await WorkoutGateway(call: call, files: files, request: request).run()
        }
        var client = try await ControlClient.connecting(
            files.folder, isSimulation: files.isSimulation, clock: SystemClock())
        let line = try client.ask(.workout(request), arguments: Self.errorPlaces(arguments))
        guard case .live(let live) = WorkoutAnswer(line) else { throw client.unknownAnswer }
        guard let view = WorkoutView(call, people: people) else {
            try Self.report(live, arguments)
            return .success
        }
        view.leaveAtSignal()
        let end = await view.follow(live, over: SocketWorkoutLink(stream: ControlStream(client)))
        return try await WorkoutEndReport(files: files, call: call).report(end, of: live)
    }

    /// The options by key of the request, for errors; those of a plan name its file.
    static func errorPlaces(_ arguments: ParsedArguments) -> [String: String] {
        var places = ControlClient.options
        places["plan"] = arguments.value(of: "--plan")
        return places
    }

    /// The request to the gateway.
    private func request(of person: String) throws(HostError) -> WorkoutRequest {
        guard !arguments.has("--indoor") || !arguments.has("--outdoor") else {
            throw HostError(.usage, "--indoor and --outdoor cannot be combined; remove one")
        }
        var configuration = WorkoutRequest.Configuration(
            activity: arguments.value(of: "--activity"))
        if arguments.has("--indoor") { configuration.location = .indoor }
        if arguments.has("--outdoor") { configuration.location = .outdoor }
        configuration.plan = try arguments.value(of: "--plan").map { path throws(HostError) in
            try plan(at: path)
        }
        return WorkoutRequest(.start, person: person, configuration: configuration)
    }

    /// The text of a plan, parsed here so that errors name the file.
    private func plan(at path: String) throws(HostError) -> String {
        guard let text = try TextFile.read(path) else {
            throw HostError(.usage, "--plan: file not found: \(path)")
        }
        guard text.utf8.count <= Self.maximumPlanSize else {
            throw HostError(
                .usage, "\(path): the plan must not exceed \(Self.maximumPlanSize) bytes")
        }
        do {
            _ = try WorkoutPlan(json5: text)
        } catch {
            throw HostError(.configuration, "\(path): \(error)")
        }
        return text
    }

    /// Prints that the workout has started.
    static func report(
        _ live: LiveWorkout, _ arguments: ParsedArguments
    ) throws(HostError) {
        guard arguments.has("--json") else {
            let message = WorkoutCallCommand.message(live, after: .start)
            return try StandardStream.output.writeResult("\(message)\n")
        }
        _ = try StandardStream.output.writePart(WorkoutUpdate.live(live).line)
    }
}
