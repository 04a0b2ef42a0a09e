import GatewayCore
import GatewayHost
import HealthModel
import JSON

/// What a user says of a device that is to be adopted.
struct AdoptionRequest {
    let identifier: DeviceIdentifier
    var person: String?
    var role: People.Role?
    var name: String?
    var spoken: JSONValue?

    /// Reads the command's words; `makeProtocol` throws when a protocol is not right.
    init(
        _ arguments: ParsedArguments, people: People,
        makeProtocol: (ConfigurationNode) throws(ConfigurationError) -> Void
    ) throws(HostError) {
        identifier = try Self.identifier(arguments.operands[0])
        person = try Self.word("--person", arguments, known: people.names)
        role = try Self.word("--role", arguments, known: People.Role.allCases.map(\.rawValue))
            .flatMap(People.Role.init)
        if let text = arguments.value(of: "--name") {
            guard AdoptedDevice.isName(text) else {
                throw HostError(.usage, "--name: \(AdoptedDevice.nameProblem)")
            }
            name = text
        }
        if let text = arguments.value(of: "--protocol") {
            do {
                spoken = try Self.spoken(text, makeProtocol: makeProtocol)
            } catch {
                throw HostError(.usage, "--protocol: \(error)")
            }
        }
    }

    /// Reads an address or the path of a port.
    static func identifier(
        _ text: String, known: [DeviceIdentifier] = []
    ) throws(HostError) -> DeviceIdentifier {
        if let identifier = DeviceIdentifier(text) { return identifier }
        let nearest = Suggestion.nearest(to: text, in: known.map(\.description))
        let remedy = nearest.map { "; did you mean `\($0)`?" } ?? ""
        throw HostError(.usage, "`\(text)` is not \(DeviceIdentifier.examples)\(remedy)")
    }

    private static func word(
        _ option: String, _ arguments: ParsedArguments, known: [String]
    ) throws(HostError) -> String? {
        guard let word = arguments.value(of: option) else { return nil }
        guard let found = known.first(where: { $0 == word }) else {
            throw HostError(
                .usage,
                "\(option): `\(word)` is unknown; "
                    + Suggestion.message(unknown: word, known: known))
        }
        return found
    }

    /// A word such as `hxm`, or an object such as `{ use: "lines", preset: "steps" }`.
    private static func spoken(
        _ text: String, makeProtocol: (ConfigurationNode) throws(ConfigurationError) -> Void
    ) throws(ConfigurationError) -> JSONValue {
        let isObject = text.drop(while: \.isWhitespace).hasPrefix("{")
        let value = isObject ? try ConfigurationNode(json5: text).value : .string(text)
        try makeProtocol(ConfigurationNode(path: "", value: value))
        guard value.isJSON else {
            throw ConfigurationError(path: "", problem: "contains a number that is not finite")
        }
        return value
    }

    /// The device with what is said of it; what is not said stays as it was.
    func applied(to old: AdoptedDevice?, at now: Instant) -> AdoptedDevice {
        // Milliseconds are as fine as anybody wants to read.
        let since = now.adding(nanoseconds: -(now.nanosecondsSince1970 % 1_000_000))
        var device = old ?? AdoptedDevice(identifier, since: since)
        device.person = person ?? device.person
        device.role = role ?? device.role
        device.name = name ?? device.name
        device.spoken = spoken ?? device.spoken
        return device
    }
}

extension AdoptedDevice {
    /// What is said of the device, in words: `person ada, role backup`.
    var summary: String {
        var parts: [String] = []
        if let person { parts.append("person \(person)") }
        if let role { parts.append("role \(role.rawValue)") }
        if let name { parts.append("name \(name)") }
        if let spoken { parts.append("protocol \(Self.word(spoken))") }
        return parts.joined(separator: ", ")
    }

    private static func word(_ spoken: JSONValue) -> String {
        if case .string(let word) = spoken { word } else { spoken.json }
    }
}
