package import GatewayCore
import JSON

extension AdoptionResult {
    private static let deviceKey = "device"

    /// Writes the result as fields of an answer.
    func write(to json: inout JSONWriter) {
        json.field("adopted") { bytes in
            let identifier = JSONValue.string(device.identifier.description)
            guard case .object(var facts) = device.persistedValue else { return }
            facts[Self.deviceKey] = identifier
            bytes += JSONValue.object(facts).json.utf8
        }
        json.field("change", change.rawValue)
        json.strings("notes", notes)
    }

    /// Reads the result from the answer of a gateway.
    package init(answer node: ConfigurationNode) throws(ConfigurationError) {
        let fields = try AnswerFields(node)
        let adopted = try fields.require("adopted")
        var facts = Dictionary(
            uniqueKeysWithValues: try adopted.entries().map { ($0.key, $0.node) })
        guard let identifier = try facts.removeValue(forKey: Self.deviceKey)?.string() else {
            throw adopted.error("the key `\(Self.deviceKey)` is missing")
        }
        let rest = ConfigurationNode(path: adopted.path, value: .object(facts.mapValues(\.value)))
        let word = try fields.require("change").choice(of: Change.allCases.map(\.rawValue))
        self.init(
            device: try AdoptedDevice.read(identifier, rest),
            change: Change(rawValue: word) ?? .unchanged, notes: try fields.strings("notes"))
    }
}

extension ForgetResult {
    /// Writes the result as fields of an answer.
    func write(to json: inout JSONWriter) {
        json.object("forgotten") { $0.field("device", device.description) }
        json.strings("notes", notes)
    }

    /// Reads the result from the answer of a gateway.
    package init(answer node: ConfigurationNode) throws(ConfigurationError) {
        let fields = try AnswerFields(node)
        let forgotten = try AnswerFields(try fields.require("forgotten")).require("device")
        self.init(
            device: try AdoptionRequest.identifier(forgotten), notes: try fields.strings("notes"))
    }
}
