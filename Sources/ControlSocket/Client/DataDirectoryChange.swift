package import GatewayCore
package import GatewayHost
package import JSON

/// A change of the data directory: made by the running gateway, or by this command when none runs.
package struct DataDirectoryChange {
    /// How long the gateway may take to make and apply a change, in seconds.
    package static let timeoutSeconds = 15

    private let folder: DataDirectory
    /// The options by key of the request, for errors; an operand has an empty one.
    private let arguments: [String: String]

    /// Creates a change of a directory.
    package init(folder: DataDirectory, arguments: [String: String]) {
        self.folder = folder
        self.arguments = arguments
    }

    /// Makes the change.
    ///
    /// - Parameter read: Reads the result from the answer of the gateway.
    /// - Parameter makeHere: Makes the change when no gateway can be reached.
    /// - Returns: The result, and a note on the running gateway; nil when none runs.
    package func make<Result>(
        _ handler: RequestHandler, _ request: JSONValue,
        read: (ConfigurationNode) throws(ConfigurationError) -> Result,
        makeHere: (ConfigurationNode) async throws -> Result
    ) async throws(HostError) -> (Result, note: String?) {
        guard !folder.isOfAnotherUser else {
            return try await ask(ControlRequest(handler, request), read)
        }
        guard DataDirectoryLock.owner(of: folder) != nil else {
            return (try await makeDirectly(request, makeHere), nil)
        }
        do throws(HostError) {
            return try await ask(ControlRequest(handler, request), read)
        } catch {
            guard error.status == .unreachable else { throw error }
            let result = try await makeDirectly(request, makeHere)
            return (result, note(.failed(reason: error.text)))
        }
    }

    private func makeDirectly<Result>(
        _ request: JSONValue, _ makeHere: (ConfigurationNode) async throws -> Result
    ) async throws(HostError) -> Result {
        do {
            return try await makeHere(ConfigurationNode(path: "", value: request))
        } catch {
            throw ControlClient.failure(of: error, arguments: arguments)
        }
    }

    private func ask<Result>(
        _ request: ControlRequest, _ read: (ConfigurationNode) throws(ConfigurationError) -> Result
    ) async throws(HostError) -> (Result, note: String?) {
        var client = try await ControlClient.connecting(
            folder, isSimulation: false, clock: SystemClock())
        let line = try client.ask(request, timeout: Self.timeoutSeconds, arguments: arguments)
        do throws(ConfigurationError) {
            let answer = try ConfigurationNode(json5: String(decoding: line, as: UTF8.self))
            return (try read(answer), note(try ReloadOutcome(answer: answer)))
        } catch {
            throw client.unknownAnswer
        }
    }

    /// A note on the running gateway; nil when none runs, or it has ended meanwhile.
    package func note(_ outcome: ReloadOutcome) -> String? {
        let known = DataDirectoryLock.owner(of: folder)
        guard let owner = folder.isOfAnotherUser ? known ?? "" : known else { return nil }
        return switch outcome {
        case .applied: "the running gateway\(owner) has applied this"
        case .failed(let reason):
            "a gateway is running\(owner) and applies this when it is restarted; \(reason)"
        }
    }
}
