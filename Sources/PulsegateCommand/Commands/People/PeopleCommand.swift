import GatewayCore
import GatewayHost
import HealthModel
import HealthStore
import JSON
import Platform
import Terminal

/// `pulsegate people`: what is known of those whose samples are kept.
struct PeopleCommand: Command {
    static let syntax = CommandSyntax(
        name: "people",
        summary: "List people, show a person, or set personal facts.",
        operands: [.choice(["list", "set", "show"])],
        optionalOperands: [CommandSyntax.Operand("NAME", .person)],
        options: [
            CommandSyntax.Option(
                name: "--birth-date", value: "D", help: "set: birth date, 1986-02-14"),
            characteristic("--sex", "S", BiologicalSex.self),
            characteristic("--blood-type", "B", BloodType.self),
            characteristic(
                "--skin-type", "F", FitzpatrickSkinType.self, "the Fitzpatrick skin type, "),
            characteristic("--wheelchair-use", "W", WheelchairUse.self),
            characteristic(
                "--move-mode", "M", ActivityMoveMode.self,
                "what a day's movement is counted in, "),
            CommandSyntax.Option(
                name: "--maximum-heart-rate", value: "N",
                help: "set: maximum heart rate in count/min"),
            CommandSyntax.Option(
                name: "--zones", value: "P,…",
                help:
                    "set: where heart rate zones begin, in percent of the maximum: 50,60,70,80,90; "
                    + "or of the reserve: reserve:50,60,70,80,90"),
            CommandSyntax.Option(
                name: "--units", value: "TYPE=U,…",
                help: "set: preferred units by type, bodyMass=lb,height=in"),
            CommandSyntax.json,
        ],
        details: """
            `set` adds a person, or changes what is given and leaves the rest as it was; `none` in the
            place of a value removes it. What the configuration says of a person wins, and can only be
            changed there. Age, zones and energies are reckoned with what is known, and never with what
            is not.
            """)

    /// The option that sets a characteristic; its help has the names of all values.
    private static func characteristic<Value: CharacteristicValue>(
        _ name: String, _ sign: String, _ type: Value.Type, _ meaning: String = ""
    ) -> CommandSyntax.Option {
        let names = Value.names
        let list = names.dropLast().joined(separator: ", ") + " or \(names.last ?? "")"
        return CommandSyntax.Option(
            name: name, value: sign, kind: .words(names + [PersonChange.none]),
            help: "set: \(meaning)\(list)")
    }

    let call: Subcommand.Call
    let now = SystemClock().instant()
    let calendar = LocalCalendar.system

    func run() async throws(HostError) -> ExitStatus {
        let files = try call.files()
        switch arguments.operands[0] {
        case "list":
            guard arguments.operands.count == 1 else {
                throw HostError(.usage, "`people list` takes no name; `people show` does")
            }
            try refuseChanges()
            try list(files)
        case "show":
            try refuseChanges()
            try await show(try name("show"), files)
        case "set":
            try await set(try name("set"), files)
        case let word:
            let suggestion = Suggestion.message(unknown: word, known: ["list", "set", "show"])
            throw HostError(.usage, "people: `\(word)` is unknown; \(suggestion)")
        }
        return .success
    }

    private func name(_ word: String) throws(HostError) -> String {
        guard arguments.operands.count == 2 else {
            throw HostError(.usage, "whose? `pulsegate people \(word) NAME`")
        }
        return arguments.operands[1]
    }

    private func refuseChanges() throws(HostError) {
        for option in PersonChange.options where arguments.has(option) {
            throw HostError(.usage, "\(option) belongs to `people set`")
        }
    }

    // MARK: Showing

    private func list(_ files: CommandFiles) throws(HostError) {
        let people = try files.people()
        let persons = people.names.compactMap { people.person(named: $0) }
        try write(persons)
    }

    private func show(_ name: String, _ files: CommandFiles) async throws(HostError) {
        let people = try files.people()
        guard let person = people.person(named: name) else {
            let suggestion = Suggestion.message(unknown: name, known: people.names)
            throw HostError(.usage, "`\(name)` is unknown; \(suggestion)")
        }
        try write([person])
        guard !arguments.has("--json") else { return }
        let resting = await restingHeartRate(of: people.names.count > 1 ? person.name : nil, files)
        let zones = ZoneText(person: person, today: calendar.date(at: now), resting: resting)
        try StandardStream.output.writeResult(zones.line)
    }

    /// The newest one in the store, if there is a store.
    private func restingHeartRate(of person: String?, _ files: CommandFiles) async -> Quantity? {
        guard let store = try? files.openStore() else { return nil }
        let query = SampleQuery(
            type: .restingHeartRate, to: now.adding(nanoseconds: 1), person: person)
        return try? await store.latestSample(matching: query)?.quantity
    }

    private func write(_ people: [Person]) throws(HostError) {
        let output = PeopleText(today: calendar.date(at: now))
        try StandardStream.output.writeResult(
            arguments.has("--json") ? output.json(of: people) : output.table(of: people))
    }

    // MARK: Setting

    private func set(_ typed: String, _ files: CommandFiles) async throws(HostError) {
        let name = try files.people().names.first { $0 == typed } ?? typed
        guard !arguments.has("--json") else {
            throw HostError(.usage, "--json belongs to `people list` and `people show`")
        }
        let change = try PersonChange(
            name: name, arguments, types: files.types, today: calendar.date(at: now))
        let (file, folder) = (files.configuration, files.folder)
        let stated = file.configuration.people.person(named: name)
        let wanted = try change.besideConfiguration(stated, in: file)
        try folder.create()
        let result = try await PeopleFile(folder: folder, types: files.types).change {
            people throws(HostError) in
            let old = people[name]
            people.insert(try wanted.applied(to: old))
            guard people.people.count <= PersistedPeople.limit else {
                throw HostError(.failure, "\(PersistedPeople.limit) people are kept already")
            }
            return (old: old, new: people[name])
        }
        let text = result.old == result.new ? "nothing has changed" : "set"
        try StandardStream.output.writeResult("\(LogFormat.escaped(name)): \(text)\n")
        AdoptionNotes.tellRunningGateway(folder)
    }
}
