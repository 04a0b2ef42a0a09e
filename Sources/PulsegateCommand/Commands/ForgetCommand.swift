import ControlSocket
import GatewayCore
import GatewayHost
import JSON
import Platform
import Terminal

/// `pulsegate forget`: undoes `adopt`.
struct ForgetCommand: Command {
    static let syntax = CommandSyntax(
        name: "forget",
        summary: "Undo `adopt`: stop reading the device.",
        operands: ["ADDRESS|PORT"],
        details: "Its samples stay in the store.")

    let call: Subcommand.Call

    func run() async throws(HostError) -> ExitStatus {
        let files = try call.files()
        let request = JSONValue.object([
            AdoptionRequest.deviceKey: .string(arguments.operands[0])
        ])
        let change = DataDirectoryChange(folder: files.folder, arguments: AdoptCommand.names)
        let (result, note) = try await change.make(
            .forget, request, read: ForgetResult.init(answer:)
        ) { node in
            try await DeviceAdoption(
                file: files.configuration, folder: files.folder, plugins: plugins,
                radio: RadioDevices(plugins, environment, clock: SystemClock())
            ).forget(node)
        }
        let text = LogFormat.escaped("\(result.device)")
        try StandardStream.output.writeResult("\(text) is no longer adopted\n")
        for note in result.notes + (note.map { [$0] } ?? []) { CommandNote.write(note) }
        return .success
    }
}
