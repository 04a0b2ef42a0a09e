package import GatewayCore
package import HealthModel

/// Requests that read and change the files in the data directory; the gateway applies a change itself.
extension GatewayService {
    /// Adopts a device, or changes the facts of an adopted device.
    ///
    /// - Parameters:
    ///   - request: An object with the keys of ``AdoptionRequest``.
    ///   - client: Only the owner may name a program as protocol, and any file as a port.
    package func adopt(
        _ request: ConfigurationNode, by client: ServiceClient
    ) async throws -> (AdoptionResult, ReloadOutcome) {
        let result = try await changeableFiles().adoption().adopt(
            request, at: now(), isOwner: client.isOwner)
        quarantine.release(result.device.identifier.description)
        return (result, await apply())
    }

    /// Forgets an adopted device.
    ///
    /// - Parameter request: An object with the key `device`.
    package func forget(
        _ request: ConfigurationNode
    ) async throws -> (ForgetResult, ReloadOutcome) {
        let result = try await changeableFiles().adoption().forget(request)
        return (result, await apply())
    }

    /// The devices that are adopted, or that the configuration names.
    package func devices() throws(HostError) -> [KnownDevice] {
        try changeableFiles().devices()
    }

    /// Sets and removes facts about a person.
    ///
    /// - Parameter request: An object with the keys of ``PersonChange``.
    package func setPerson(
        _ request: ConfigurationNode
    ) async throws -> (PersonEditor.Result, ReloadOutcome) {
        let result = try await changeableFiles().people().set(request, today: today())
        return (result, await apply())
    }

    /// Sets or removes the default person.
    ///
    /// - Parameter request: An object with the key `name`, which is null for no default person.
    package func setDefaultPerson(
        _ request: ConfigurationNode
    ) async throws -> (DefaultPersonResult, ReloadOutcome) {
        let result = try await changeableFiles().people().setDefault(request)
        return (result, await apply())
    }

    /// Removes a person and the stored facts.
    ///
    /// - Parameter request: An object with the key `name`.
    package func removePerson(
        _ request: ConfigurationNode
    ) async throws -> (PersonRemovalResult, ReloadOutcome) {
        let result = try await changeableFiles().people().remove(request)
        return (result, await apply())
    }

    /// The current date in the time zone of this machine.
    package func today() -> CalendarDate { LocalCalendar.system.date(at: now()) }

    private func changeableFiles() throws(HostError) -> GatewayFiles {
        guard let files else {
            throw HostError(
                .failure,
                "a simulation has no adopted devices and cannot change people; "
                    + "use a gateway that is no simulation: `pulsegate run`")
        }
        return files
    }

    private func apply() async -> ReloadOutcome {
        do throws(HostError) {
            _ = try await reload()
            return .applied
        } catch {
            return .failed(reason: error.text)
        }
    }
}
