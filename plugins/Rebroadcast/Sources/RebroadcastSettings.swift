import Bluetooth
package import GatewayCore
import HealthModel
import JSON

/// The settings of a rebroadcast.
struct RebroadcastSettings: Hashable, Sendable {
    /// The name of the person; there is no value for all people.
    let person: String
    /// The name in the advertisement.
    let name: String
    /// The adapter; nil for the first usable one.
    let adapter: String?
    /// The age from which a heart rate is not sent any more, in seconds.
    let silenceSeconds: Double

    static let keys = about.settings.map(\.name)
    static let defaultName = "Pulsegate"
    static let defaultSilence = 5.0
    /// An advertisement has 31 bytes: 3 of flags, 4 of the service, 2 of the name's header.
    static let maximumNameLength = 22
    static let silenceRange = 2.0...60.0
}

extension RebroadcastSettings {
    /// Reads `{ use: "rebroadcast", person: "ada", name: "Ada", adapter: "hci1", silence: 5 }`.
    ///
    /// - Parameter people: The names of the people; nil when they are not known.
    init(_ object: ConfigurationObject, people: [String]? = nil) throws(ConfigurationError) {
        let person = try object.require("person")
        if let people {
            self.person = try person.person(of: people)
        } else {
            self.person = try person.string()
        }
        guard Person.isValidName(self.person) else {
            throw person.error("is not the name of a person")
        }
        name = try object["name"].map(Self.name) ?? Self.defaultName
        adapter = try object["adapter"].map(BluetoothSelection.adapter)
        silenceSeconds = try object["silence"].map(Self.silence) ?? Self.defaultSilence
    }

    private static func name(_ node: ConfigurationNode) throws(ConfigurationError) -> String {
        let name = try node.string()
        let isPrintable = name.unicodeScalars.allSatisfy {
            $0.properties.generalCategory != .control
        }
        guard !name.isEmpty, name.utf8.count <= maximumNameLength, isPrintable else {
            throw node.error("must have 1 to \(maximumNameLength) bytes of printable text")
        }
        return name
    }

    private static func silence(_ node: ConfigurationNode) throws(ConfigurationError) -> Double {
        let seconds = try node.number()
        guard silenceRange.contains(seconds) else {
            throw node.error(
                "must be from \(Int(silenceRange.lowerBound)) to \(Int(silenceRange.upperBound))")
        }
        return seconds
    }
}

extension RebroadcastSettings {
    /// The description for `pulsegate plugins`; the sample is the text of sample.json5.
    static let about = PluginDescription(
        summary: "Offers the heart rate of one person as a Bluetooth heart-rate strap.",
        settings: [
            PluginDescription.Setting(
                "person", "the person whose heart rate everybody near can read"),
            PluginDescription.Setting(
                "name", "name in the advertisement, up to \(maximumNameLength) bytes",
                default: "`\(defaultName)`"),
            PluginDescription.Setting(
                "adapter", "adapter to use: an address, or a name such as hci1",
                default: "the first usable one"),
            PluginDescription.Setting(
                "silence",
                "seconds after which a heart rate is not sent any more, from "
                    + "\(Int(silenceRange.lowerBound)) to \(Int(silenceRange.upperBound))",
                kind: .number, default: "\(Int(defaultSilence))"),
        ],
        sample: """
            {
              people: { ada: {} },
              devices: { "D0:11:22:33:44:55": { person: "ada" } },
              services: {
                // Everybody near can read the heart rate of Ada.
                watch: { use: "rebroadcast", person: "ada", name: "Ada" },
              },
            }

            """)
}

extension Rebroadcast {
    /// The factory for `use: "rebroadcast"`.
    package static let factory = ServiceFactory(
        use: "rebroadcast", keys: RebroadcastSettings.keys, about: RebroadcastSettings.about
    ) { object, context throws(ConfigurationError) in
        Rebroadcast(
            try RebroadcastSettings(object, people: context.people),
            busAddress: context.environment["DBUS_SYSTEM_BUS_ADDRESS"], context: context)
    }
}
