import ControlSocket
package import GatewayCore
package import GatewayHost
import HealthModel
import JSON

extension CommandFiles {
    /// The people that a command lists: those of the files or, of another user's data, those that the
    /// running gateway lists for a user who may manage people.
    package func listedPeople() throws(HostError) -> People {
        guard areOfAnotherUser else { return try people() }
        var client = try ControlClient(folder, isSimulation: false, clock: SystemClock())
        let line = try client.ask(ControlRequest(RequestHandler.people.name))
        var people = configuration.configuration.people
        do throws(ConfigurationError) {
            let answer = try ConfigurationNode(json5: String(decoding: line, as: UTF8.self))
                .knowing(types).object(keys: ["people", "default"])
            for node in try answer.require("people").array() {
                people.complete(try Self.person(node))
            }
            people.defaultName = try answer["default"].map { node throws(ConfigurationError) in
                try node.string()
            }
        } catch {
            throw client.unknownAnswer
        }
        return people
    }

    /// Reads a person of the answer, which has the name and the age beside the stored facts.
    private static func person(_ node: ConfigurationNode) throws(ConfigurationError) -> Person {
        guard case .object(var facts) = node.value, case .string(let name)? = facts["name"] else {
            throw node.error("expected an object with a name")
        }
        facts["name"] = nil
        facts["age"] = nil
        let stored = ConfigurationNode(path: node.path, value: .object(facts), types: node.types)
        return try PersonReader.person(named: name, stored, skipsUnknownTypes: true)
    }
}
