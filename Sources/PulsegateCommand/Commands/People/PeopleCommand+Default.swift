import ControlSocket
import GatewayCore
import GatewayHost
import HealthModel
import JSON
import Platform
import Terminal

extension PeopleCommand {
    /// Sets, removes or prints the default person.
    func setDefault(_ files: CommandFiles) async throws(HostError) {
        try refuseFormat()
        let name = arguments.operands.dropFirst().first
        guard name == nil || !arguments.has(Self.none) else {
            throw HostError(.usage, "NAME and \(Self.none) exclude each other; remove one of them")
        }
        guard name != nil || arguments.has(Self.none) else { return try printDefault(files) }
        let request = JSONValue.object([
            PersonChange.nameKey: name.map(JSONValue.string) ?? .null
        ])
        let change = DataDirectoryChange(folder: files.folder, arguments: PersonArguments.names)
        let (result, note) = try await change.make(
            .setDefaultPerson, request, read: DefaultPersonResult.init(answer:)
        ) { node in
            try await PersonEditor(file: files.configuration, folder: files.folder)
                .setDefault(node)
        }
        let text = result.name.map { "\(LogFormat.escaped($0)) is the default person" }
        let suffix = result.isChanged ? "" : ": nothing has changed"
        try StandardStream.output.writeResult(
            "\(text ?? "no default person is set")\(suffix)\n")
        if let note { CommandNote.write(note) }
    }

    private func printDefault(_ files: CommandFiles) throws(HostError) {
        let people = try files.listedPeople()
        guard let name = people.defaultName else {
            return CommandNote.write(
                "no default person is set; set one with `pulsegate people default NAME`")
        }
        try StandardStream.output.writeResult("\(LogFormat.escaped(name))\n")
        guard !people.names.contains(name) else { return }
        CommandNote.write(
            "\(name) no longer exists; set another with `pulsegate people default NAME`, or none "
                + "with `pulsegate people default \(Self.none)`")
    }
}
