import ControlSocket
import GatewayHost
import JSON

/// The removal of a person: by the running gateway, or by this command when none runs.
struct PersonRemoval {
    let files: CommandFiles

    /// Removes the stored facts about a person.
    ///
    /// - Returns: The result, and a note on the running gateway; nil when none runs.
    func remove(
        _ name: String
    ) async throws(HostError) -> (PersonRemovalResult, note: String?) {
        let request = JSONValue.object([PersonChange.nameKey: .string(name)])
        let change = DataDirectoryChange(folder: files.folder, arguments: PersonArguments.names)
        return try await change.make(
            .removePerson, request, read: PersonRemovalResult.init(answer:)
        ) { node in
            try await PersonEditor(file: files.configuration, folder: files.folder).remove(node)
        }
    }
}
