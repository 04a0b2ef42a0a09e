import ArgumentValues
import ControlSocket
import GatewayCore
import GatewayHost
import HealthModel
import JSON
import Platform
import Reports
import SQLiteStore
import Terminal

/// `pulsegate people`: lists people, shows or removes one, sets facts about one or the default.
struct PeopleCommand: Command {
    private static let actions = ["default", "list", "remove", "set", "show"]

    static let syntax = CommandSyntax(
        name: "people",
        summary: "List people, show or remove a person, set personal facts or the default person.",
        operands: [.choice(actions)],
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
                "unit of a day's movement goal, "),
            CommandSyntax.Option(
                name: "--maximum-heart-rate", value: "N",
                help: "set: maximum heart rate in count/min"),
            CommandSyntax.Option(
                name: "--zones", value: "P,…",
                help:
                    "set: lower bounds of the heart rate zones, in percent of the maximum: 50,60,70,80,90; "
                    + "or of the reserve: reserve:50,60,70,80,90"),
            CommandSyntax.Option(
                name: "--wall", value: "B", kind: .words(["true", "false", PersonArguments.none]),
                help: "set: whether a shared screen may show the person, true or false"),
            CommandSyntax.Option(
                name: "--units", value: "TYPE=U,…",
                help: "set: preferred units by type, bodyMass=lb,height=in"),
            CommandSyntax.Option(name: Self.none, help: "default: set no default person"),
        ] + CommandSyntax.formats,
        details: """
            `default NAME` sets the person whom commands use without --person; without NAME it prints
            the name.
            `set` adds a person, or changes the given facts and keeps the others; the value `none`
            removes a fact. `remove` removes a person; the records of the person stay in the store. The
            configuration wins: a fact or a person that it sets can be changed only there. Age, zones
            and energies are calculated from known facts only.
            """)

    /// The option that sets a characteristic; its help has the names of all values.
    private static func characteristic<Value: CharacteristicValue>(
        _ name: String, _ sign: String, _ type: Value.Type, _ meaning: String = ""
    ) -> CommandSyntax.Option {
        let names = Value.names
        let list = names.dropLast().joined(separator: ", ") + " or \(names.last ?? "")"
        return CommandSyntax.Option(
            name: name, value: sign, kind: .words(names + [PersonArguments.none]),
            help: "set: \(meaning)\(list)")
    }

    /// The option for no default person.
    static let none = "--none"

    let call: Subcommand.Call
    let now = SystemClock().instant()
    let calendar = LocalCalendar.system

    func run() async throws(HostError) -> ExitStatus {
        let files = try call.files()
        if arguments.has(Self.none), arguments.operands[0] != "default" {
            throw HostError(.usage, "\(Self.none) is valid only for `people default`")
        }
        switch arguments.operands[0] {
        case "default":
            try refuseChanges()
            try await setDefault(files)
        case "list":
            guard arguments.operands.count == 1 else {
                throw HostError(
                    .usage, "`people list` does not accept a name; use `people show NAME`")
            }
            try refuseChanges()
            try list(files)
        case "show":
            try refuseChanges()
            try await show(try name("show"), files)
        case "set":
            try await set(try name("set"), files)
        case "remove":
            try refuseChanges()
            try await remove(try name("remove"), files)
        case let word:
            throw .unknownAction(word, of: "people", known: Self.actions)
        }
        return .success
    }

    private func name(_ word: String) throws(HostError) -> String {
        guard arguments.operands.count == 2 else {
            throw HostError(.usage, "NAME is required: `pulsegate people \(word) NAME`")
        }
        return arguments.operands[1]
    }

    private func refuseChanges() throws(HostError) {
        for option in PersonArguments.keys.keys.sorted() where arguments.has(option) {
            throw HostError(.usage, "\(option) is valid only for `people set`")
        }
    }

    // MARK: Showing

    private func list(_ files: CommandFiles) throws(HostError) {
        let people = try files.listedPeople()
        let persons = people.names.compactMap { people.person(named: $0) }
        try write(persons, people.defaultName)
    }

    private func show(_ name: String, _ files: CommandFiles) async throws(HostError) {
        let people = try files.listedPeople()
        guard let person = people.person(named: name) else {
            throw HostError(.usage, People.unknown(name, known: people.names))
        }
        try write([person], people.defaultName)
        guard try arguments.format() == .table else { return }
        let resting = await restingHeartRate(of: people.names.count > 1 ? person.name : nil, files)
        let zones = ZoneText(person: person, today: calendar.date(at: now), resting: resting)
        try StandardStream.output.writeResult(zones.line)
    }

    /// The newest resting heart rate in the store; nil without a store.
    private func restingHeartRate(of person: String?, _ files: CommandFiles) async -> Quantity? {
        guard let store = try? files.openStore() else { return nil }
        let query = SampleQuery(
            type: .restingHeartRate, to: now.adding(nanoseconds: 1), person: person)
        return try? await store.latestSample(matching: query)?.quantity
    }

    private func write(_ people: [Person], _ defaultName: String?) throws(HostError) {
        let output = PeopleText(
            today: calendar.date(at: now), defaultName: defaultName,
            width: TerminalWidth(.output, environment: environment))
        let text = output.report(of: people).text(as: try arguments.format()) {
            output.table(of: people)
        }
        try StandardStream.output.writeResult(text)
    }

    func refuseFormat() throws(HostError) {
        for option in CommandSyntax.formats.map(\.name) where arguments.has(option) {
            throw HostError(.usage, "\(option) is valid only for `people list` and `people show`")
        }
    }

    // MARK: Setting and removing

    private func set(_ name: String, _ files: CommandFiles) async throws(HostError) {
        try refuseFormat()
        if PersonArguments.keys.keys.allSatisfy({ !arguments.has($0) }),
            try files.listedPeople().person(named: name) != nil
        {
            let options = PersonArguments.keys.keys.sorted().joined(separator: ", ")
            throw HostError(
                .usage, "`people set \(name)` requires at least one of \(options)")
        }
        let request = try PersonArguments(name: name, arguments, types: files.types).request
        let change = DataDirectoryChange(folder: files.folder, arguments: PersonArguments.names)
        let (result, note) = try await change.make(
            .setPerson, request, read: PersonEditor.Result.init(answer:)
        ) { node in
            try await PersonEditor(file: files.configuration, folder: files.folder)
                .set(node, today: calendar.date(at: now))
        }
        let text = result.isChanged ? "set" : "nothing has changed"
        try StandardStream.output.writeResult("\(LogFormat.escaped(result.name)): \(text)\n")
        if let note { CommandNote.write(note) }
    }

    private func remove(_ name: String, _ files: CommandFiles) async throws(HostError) {
        try refuseFormat()
        let (result, note) = try await PersonRemoval(files: files).remove(name)
        let text = LogFormat.escaped(result.name)
        try StandardStream.output.writeResult(
            "\(text): removed; the records of this person stay in the store\n")
        for note in result.notes + (note.map { [$0] } ?? []) { CommandNote.write(note) }
    }
}
