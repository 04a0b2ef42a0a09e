import GatewayCore
import GatewayHost
import HealthModel
import Platform
import Readings
import Terminal
import WorkoutFiles
import Workouts

/// `pulsegate workout import`: imports a workout from a file of another program.
struct WorkoutImportCommand: Command {
    static let syntax = CommandSyntax(
        name: "workout import",
        summary: "Import a workout from a FIT or TCX file.",
        operands: [CommandSyntax.Operand("FILE", .file)],
        options: [WorkoutActions.person],
        details: """
            The samples are assigned to the person and delivered to every sink. A workout that
            is in the store is recognised by its person, time and activity, in each format and
            without regard to the order: a file adds what the store lacks of it, or nothing.
            Positions are not imported.
            """)

    let call: Subcommand.Call

    func run() async throws(HostError) -> ExitStatus {
        let path = arguments.operands[0]
        let files = try call.files()
        let person = try PersonArgument(arguments, try files.people())
        let imported = try read(path, person: person.name)
        try rejectImpossibleTimes(imported.workout)
        // A store that cannot be read is an error: without it everything would be counted again.
        let history = try WorkoutHistory(ifStored: files)
        let known = try await history?.known(imported) ?? []
        let addition = try addition(of: imported, to: known, path)
        reportDifferences(addition.differences)
        if addition.isEmpty {
            try StandardStream.output.writeResult(
                "\(name(imported.workout)) is already in the store\n")
            return .success
        }
        let workout = try await totalled(
            addition.workout, known.flatMap(\.samples) + addition.samples, history)
        let clock = SystemClock()
        let delivery = EntryDelivery(
            files: files, clock: clock,
            temporary: TemporaryGateway(
                files: files, plugins: plugins, environment: environment, clock: clock,
                executor: call.executor))
        let records = addition.samples.map(Record.sample) + [.workout(workout)]
        let pending = try await delivery.deliver(
            EntryDelivery.Entry(records, checkCommand: "pulsegate workout list"))
        let action = known.isEmpty ? "imported" : "completed"
        try StandardStream.output.writeResult(
            "\(action) \(name(workout)), \(addition.samples.count) samples\n")
        reportSkipped(imported)
        if let store = try? StoreFile(files), store.acceptsWorkouts,
            !pending.contains(store.sinkName),
            try await WorkoutHistory(ifStored: files)?.has(workout.id) != true
        {
            CommandNote.write(
                "accepted, but not in the store yet; check `pulsegate status`, or start a gateway "
                    + "with `pulsegate run`")
        }
        return .success
    }

    private func read(_ path: String, person: String) throws(HostError) -> ImportedWorkout {
        let bytes = try BinaryFile.read(path, limit: WorkoutFile.maximumFileSize)
        do {
            return try WorkoutFile.read(
                bytes, person: person,
                source: SourceRevision(name: "import", version: Version.current),
                calendar: .system)
        } catch {
            throw HostError(.failure, "\(path): \(error)")
        }
    }

    private func addition(
        of imported: ImportedWorkout, to known: [KnownWorkout], _ path: String
    ) throws(HostError) -> WorkoutAddition {
        do { return try imported.adding(to: known) } catch {
            throw HostError(.failure, "\(path): \(error)")
        }
    }

    /// The workout with the totals of its samples.
    private func totalled(
        _ old: Workout, _ samples: [QuantitySample], _ history: WorkoutHistory?
    ) async throws(HostError) -> Workout {
        let subject = await history?.subject(of: old) ?? WorkoutSubject()
        let recorded = RecordedWorkout(
            workout: old, allSamples: samples, subject: subject)
        do {
            return try Workout(
                id: old.id, activity: old.activity, location: old.location, start: old.start,
                end: old.end, events: old.events, totals: recorded.totals, person: old.person,
                device: old.device, source: old.source, metadata: old.metadata)
        } catch {
            throw HostError(.failure, "\(error)")
        }
    }

    /// Rejects a workout with impossible times, before its samples are read.
    private func rejectImpossibleTimes(_ workout: Workout) throws(HostError) {
        let bounds = RecordTimeBounds(at: SystemClock().instant())
        guard let problem = bounds.problem(of: .workout(workout)) else { return }
        throw HostError(.failure, "the workout \(problem)")
    }

    private func name(_ workout: Workout) -> String {
        "\(LogFormat.escaped(workout.activity.name)) of \(LocalTime.text(workout.start))"
    }

    private func reportDifferences(_ differences: [WorkoutAddition.Difference]) {
        for difference in differences {
            CommandNote.write(
                "\(difference.type.name): the file has a larger count of the same time; the store "
                    + "keeps its own")
        }
    }

    private func reportSkipped(_ imported: ImportedWorkout) {
        if imported.hasLocalTimes {
            CommandNote.write(
                "the file has times without a time zone; the local time zone is used, or that of "
                    + "`TZ`")
        }
        let left = imported.skipped
        let parts = [
            (left.positions, "positions"), (left.values, "out-of-range values"),
            (left.activities, "further activities"), (left.unknown, "unknown elements"),
        ].filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
        guard !parts.isEmpty else { return }
        CommandNote.write("not imported: \(parts.joined(separator: ", "))")
    }
}
