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
        let adoption = DeviceAdoption(
            file: files.configuration, folder: files.folder, plugins: plugins)
        let result: ForgetResult
        do {
            result = try await adoption.forget(ConfigurationNode(path: "", value: request))
        } catch {
            throw ControlClient.failure(of: error, arguments: AdoptCommand.names)
        }
        let text = LogFormat.escaped("\(result.device)")
        try StandardStream.output.writeResult("\(text) is no longer adopted\n")
        result.notes.forEach(AdoptionNotes.tell)
        AdoptionNotes.tellRunningGateway(files.folder)
        return .success
    }
}
