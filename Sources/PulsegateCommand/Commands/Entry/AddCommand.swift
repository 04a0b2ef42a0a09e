import ArgumentValues
import ControlSocket
import GatewayCore
import GatewayHost
import Glibc
import HealthModel
import HealthStatistics
import Platform
import SQLiteStore
import Terminal
import WorkoutScreens

/// `pulsegate add`: stores a manually entered value.
struct AddCommand: Command {
    static let syntax = CommandSyntax(
        name: "add",
        summary: "Store a manually entered value, such as a body mass or a meal.",
        operands: [CommandSyntax.Operand("TYPE", .quantityType)],
        optionalOperands: ["VALUE", "UNIT"],
        options: [
            CommandSyntax.Option(name: "--at", value: "T", help: "time of the value; default: now"),
            CommandSyntax.Option(
                name: "--from", value: "T",
                help: "start of the period of a cumulative value; --at is its end"),
            CommandSyntax.Option(
                name: "--person", value: "P", kind: .person,
                help: PersonArgument.help),
        ],
        details: """
            TYPE and UNIT are HealthKit's: add bodyMass 81 kg; add dietaryEnergyConsumed 650 kcal. Other
            names of a unit are accepted where they have one meaning: bpm, steps, °C, lbs, hours.
            % is a fraction: add oxygenSaturation 0.97 %.
            T is an ISO 8601 date or time, now, today, yesterday, or a duration before now (90s, 15m, 7d).
            A cumulative value covers the period from --from to --at; without --from, one second.
            `add bodyMassIndex` without VALUE calculates it from the newest mass and height in the
            store.
            The value is delivered to all sinks, through the running gateway if there is one. Another user's
            gateway stores it as far as it is granted: `pulsegate access request --share TYPE`.
            """)

    let call: Subcommand.Call
    let clock: any GatewayClock = SystemClock()
    let now = EnteredSample.wholeMilliseconds(SystemClock().instant())
    let calendar = LocalCalendar.system

    func run() async throws(HostError) -> ExitStatus {
        let files = try call.files()
        let people = try files.knownPeople()
        let person = try PersonArgument(arguments, people, areAll: !files.areOfAnotherUser)
        let sample = try await sample(of: person, files)
        let delivery = EntryDelivery(call, files, clock: clock)
        let store = (try? StoreFile(files)).flatMap { $0.accepts(sample.type) ? $0 : nil }
        let pending = try await delivery.deliver(
            EntryDelivery.Entry(sample, waitsForStore: store != nil))
        try report(sample, people)
        if let store, !files.areOfAnotherUser, !pending.contains(store.sinkName),
            await !delivery.isStored(sample, in: store)
        {
            CommandNote.write(
                "accepted, but not in the store yet; check `pulsegate status`, or start a gateway "
                    + "with `pulsegate run`")
        }
        return .success
    }

    private func report(_ sample: QuantitySample, _ people: People) throws(HostError) {
        try EntryReport(verb: "added", people: people, now: now)
            .write(sample, time: time(of: sample))
    }

    /// The time as it was given: the second that a cumulative value covers without --from is not shown.
    private func time(of sample: QuantitySample) -> String {
        let start = LocalTime.short(sample.start, calendar)
        let end = LocalTime.short(sample.end, calendar)
        if arguments.has("--from") { return "\(start) to \(end)" }
        return arguments.has("--at") ? start : end
    }

    // MARK: The sample

    private func sample(
        of person: PersonArgument, _ files: CommandFiles
    ) async throws(HostError) -> QuantitySample {
        let type = try TypeArgument.type(arguments.operands[0], among: files.types)
        let time = try arguments.entryTime(of: "--at", now: now, calendar: calendar)
        let entered = EnteredSample(
            person: person.name, timeZone: SystemTimeZone.name(environment),
            key: UInt64.random(in: .min ... .max))
        guard arguments.operands.count > 1 else {
            guard type == .bodyMassIndex else { throw missing("VALUE") }
            let time = time ?? now
            let index = try await bodyMassIndex(of: person, at: time, files)
            return try entered.make(type, index, time...time)
        }
        guard arguments.operands.count > 2 else { throw missing("UNIT") }
        let quantity = try arguments.entryQuantity(of: type, in: type.canonicalUnit)
        return try entered.make(type, quantity, try span(of: type, at: time))
    }

    private func missing(_ operand: String) -> HostError {
        HostError(.usage, "\(operand) is required\nusage: \(Self.syntax.usage)")
    }

    /// The period of the sample.
    ///
    /// Without --from, a cumulative value covers the second that starts at --at, so that it belongs
    /// to that day, or the second before now.
    private func span(
        of type: QuantityType, at time: Instant?
    ) throws(HostError) -> ClosedRange<Instant> {
        let second: Int64 = 1_000_000_000
        guard let start = try arguments.entryTime(of: "--from", now: now, calendar: calendar) else {
            guard type.isCumulative else { return (time ?? now)...(time ?? now) }
            return time.map { $0...$0.adding(nanoseconds: second) }
                ?? now.adding(nanoseconds: -second)...now
        }
        let end = time ?? now
        guard start < end else { throw HostError(.usage, "--from must be before --at") }
        return start...end
    }

    private func bodyMassIndex(
        of person: PersonArgument, at time: Instant, _ files: CommandFiles
    ) async throws(HostError) -> Quantity {
        if arguments.has("--from") {
            throw HostError(.usage, "--from is only for cumulative types; remove --from")
        }
        do {
            return try BodyMassIndex(
                masses: try await newest(.bodyMass, of: person, until: time, files),
                heights: try await newest(.height, of: person, until: time, files),
                now: time
            ).quantity
        } catch let failure as HostError {
            throw failure
        } catch {
            throw HostError(error)
        }
    }
}

extension AddCommand {
    /// The newest samples of the store, or those that the gateway of another user grants.
    private func newest(
        _ type: QuantityType, of person: PersonArgument, until time: Instant,
        _ files: CommandFiles
    ) async throws -> [QuantitySample] {
        guard files.areOfAnotherUser else {
            return try await files.openStore().newest(type, of: person.filter, until: time)
        }
        var samples: [QuantitySample] = []
        var gateway = try ControlClient(files.folder, isSimulation: false, clock: clock)
        let query = RecordQuery(
            type: .quantity(type), to: time.adding(nanoseconds: 1), person: person.filter,
            limit: SQLiteStore.newestCount)
        try gateway.records(matching: query, types: files.types) { records in
            for case .sample(let sample) in records { samples.append(sample) }
        }
        return samples
    }
}

/// The time zone of the system, by name.
enum SystemTimeZone {
    private static let link = "/etc/localtime"
    private static let database = "zoneinfo/"
    private static let folder = "/usr/share/zoneinfo"

    /// Returns the IANA name of the zone in `$TZ`, or of the system's zone; nil if there is none.
    ///
    /// The system's zone is the target of the link `/etc/localtime` (localtime(5)).
    static func name(_ environment: Environment) -> String? {
        if let variable = environment["TZ"] {
            // The system treats an unknown zone as UTC (tzset(3)).
            return isName(variable) && access("\(folder)/\(variable)", F_OK) == 0 ? variable : nil
        }
        guard let target = SystemCall.target(ofLink: link),
            let range = target.ranges(ofText: database).last
        else { return nil }
        let name = String(target[range.upperBound...])
        return isName(name) ? name : nil
    }

    /// Whether a text looks like `Europe/Berlin` or `UTC`, not like a rule such as `CET-1CEST`.
    private static func isName(_ text: String) -> Bool {
        (text.contains("/") || text == "UTC") && TimeZoneName.isValid(text)
    }
}
