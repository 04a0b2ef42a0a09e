import GatewayCore
import HealthModel
import HealthStore

/// `pulsegate add`: a value that a person enters by hand.
struct AddCommand {
    static let syntax = CommandSyntax(
        name: "add",
        summary: "Add a value by hand, as of a scale or a meal; it is marked so.",
        operands: ["TYPE"],
        optionalOperands: ["VALUE", "UNIT"],
        options: [
            CommandSyntax.Option(name: "--at", value: "T", help: "when; now when left out"),
            CommandSyntax.Option(
                name: "--from", value: "T", help: "for what was counted from T on, until --at"),
            CommandSyntax.Option(
                name: "--person", value: "P", help: "whose; needed where there are several"),
        ],
        details: """
            TYPE and UNIT are HealthKit's: add bodyMass 81 kg; add dietaryEnergyConsumed 650 kcal.
            % is a part of one: add oxygenSaturation 0.97 %.
            What is counted covers a time; without --from that is the second before.
            `add bodyMassIndex` alone reckons it from the newest mass and height in the store.
            The value goes to every sink, through the running gateway where there is one.
            """)

    /// How long the store may take to have what was accepted, in seconds.
    private static let storeSeconds = 3.0
    /// How often it is looked up meanwhile, in seconds.
    private static let lookSeconds = 0.02
    /// So many of the newest masses and heights are looked at: the newest may have no end yet.
    private static let latestCount = 100

    let arguments: ParsedArguments
    let plugins: Plugins
    let environment: Environment
    let executor: (any TaskExecutor)?
    var clock: any GatewayClock = SystemClock()
    var now = SystemClock().instant()
    var calendar = LocalCalendar.system

    func run() async throws(CommandFailure) -> ExitStatus {
        let files = try CommandFiles(arguments, environment, plugins)
        let people = try files.configuration.people(keptIn: files.folder)
        let person = try PersonArgument.person(arguments, people) ?? people.names[0]
        let sample = try await sample(of: person, files)
        let store = try? StoreFile(files)
        if DataFolderLock.owner(of: files.folder) != nil {
            var client = try ControlClient(files.folder, isSimulation: false, clock: clock)
            _ = try client.ask(.add(sample))
        } else {
            try await OwnGateway(
                files: files, plugins: plugins, environment: environment, clock: clock,
                executor: executor
            ).take(sample)
        }
        try StandardStream.output.writeResult(text(of: sample, people))
        if let store, await !isStored(sample, in: store) {
            StandardStream.error.write(
                "pulsegate: note: accepted, but not in the store yet; `pulsegate status` of the "
                    + "running gateway says why\n")
        }
        return .success
    }

    private func text(of sample: QuantitySample, _ people: People) -> String {
        let format = QuantityFormat(unit: sample.quantity.unit, people: people)
        let parts = format.parts(of: sample.quantity, sample.type, of: sample.person)
        let owner = people.names.count > 1 ? ", \(sample.person ?? "")" : ""
        return "added \(sample.type.name) \(parts.value) \(parts.unit), "
            + "\(LocalTime.short(sample.end, calendar))\(owner)\n"
    }

    // MARK: The sample

    private func sample(
        of person: String, _ files: CommandFiles
    ) async throws(CommandFailure) -> QuantitySample {
        let type = try TypeArgument.type(arguments.operands[0], among: files.types)
        // Nobody is quicker than a millisecond.
        let now = now.adding(nanoseconds: -(now.nanosecondsSince1970 % 1_000_000))
        let end = try arguments.time(of: "--at", now: now, calendar: calendar) ?? now
        let entered = EnteredSample(
            person: person, timeZone: SystemTimeZone.name(environment),
            key: UInt64.random(in: .min ... .max))
        guard arguments.operands.count > 1 else {
            guard type == .bodyMassIndex else { throw missing("VALUE") }
            let index = try await bodyMassIndex(of: person, at: end, files)
            return try entered.make(type, index, end...end)
        }
        guard arguments.operands.count > 2 else { throw missing("UNIT") }
        let quantity = try quantity(of: type)
        return try entered.make(type, quantity, try span(of: type, end: end))
    }

    private func missing(_ operand: String) -> CommandFailure {
        CommandFailure(.usage, "\(operand) is missing\nusage: \(Self.syntax.usage)")
    }

    private func quantity(of type: QuantityType) throws(CommandFailure) -> Quantity {
        let unit = try TypeArgument.unit(arguments.operands[2], for: type, option: "UNIT")
        guard let value = Double(arguments.operands[1]),
            let quantity = try? Quantity(value, unit)
        else {
            throw CommandFailure(.usage, "VALUE: expected a number, such as 70.5")
        }
        return quantity
    }

    private func span(
        of type: QuantityType, end: Instant
    ) throws(CommandFailure) -> ClosedRange<Instant> {
        guard let start = try arguments.time(of: "--from", now: now, calendar: calendar) else {
            return (type.isCumulative ? end.adding(nanoseconds: -1_000_000_000) : end)...end
        }
        guard start < end else {
            throw CommandFailure(.usage, "--from is not before --at")
        }
        return start...end
    }

    private func bodyMassIndex(
        of person: String, at time: Instant, _ files: CommandFiles
    ) async throws(CommandFailure) -> Quantity {
        if arguments.has("--from") {
            throw CommandFailure(.usage, "--from is for what is counted")
        }
        let people = try files.configuration.people(keptIn: files.folder)
        let store = try StoreFile(files).open()
        do {
            let owner = people.names.count > 1 ? person : nil
            return try BodyMassIndex(
                masses: try await latest(.bodyMass, owner, time, store),
                heights: try await latest(.height, owner, time, store), now: time
            ).quantity
        } catch {
            throw CommandFailure(.failure, "\(error)")
        }
    }

    private func latest(
        _ type: QuantityType, _ person: String?, _ time: Instant, _ store: HealthStore
    ) async throws -> [QuantitySample] {
        // Oldest first: of those with one time the last one counts.
        try await store.samples(
            matching: SampleQuery(
                type: type, to: time.adding(nanoseconds: 1), person: person,
                limit: Self.latestCount, order: .newestFirst)
        ).reversed()
    }

    // MARK: The store

    /// Waits until the store has the sample, but not for long.
    private func isStored(_ sample: QuantitySample, in file: StoreFile) async -> Bool {
        let end = clock.now().adding(seconds: Self.storeSeconds)
        while true {
            if let store = try? file.open(), (try? await store.hasSample(sample.id)) == true {
                return true
            }
            guard clock.now() < end, (try? await clock.sleep(seconds: Self.lookSeconds)) != nil
            else { return false }
        }
    }
}
