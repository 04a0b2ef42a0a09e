package import Bluetooth
import GatewayCore
import JSON

extension HeartRateProfile {
    /// Makes the profile from `"heartRate"` or `{ use: "heartRate", energy: false, quirks: […] }`.
    package static let factory = GATTProfileFactory(use: "heartRate", about: about) {
        node throws(ConfigurationError) in
        let settings = try node.object(keys: ["use", "energy", "quirks"])
        var quirks: [HeartRateQuirk] = []
        for entry in try settings["quirks"]?.array() ?? [] {
            quirks.append(try HeartRateQuirk(entry))
        }
        return HeartRateProfile(
            usesEnergy: try settings["energy"]?.boolean() ?? true, quirks: quirks)
    }
}

extension HeartRateQuirk {
    /// Parses `{ manufacturer: "…", model: "…", rrUnit: "ms", contact: "ignored" }`.
    fileprivate init(_ node: ConfigurationNode) throws(ConfigurationError) {
        let settings = try node.object(keys: Self.settings.map(\.name))
        let manufacturer = try settings.require("manufacturer").string()
        let model = try settings["model"]?.string()
        let rrUnit = try settings["rrUnit"].flatMap { node throws(ConfigurationError) in
            RRUnit(rawValue: try node.choice(of: RRUnit.allCases.map(\.rawValue)))
        }
        let contact = try settings["contact"].flatMap { node throws(ConfigurationError) in
            ContactBits(rawValue: try node.choice(of: ContactBits.allCases.map(\.rawValue)))
        }
        guard rrUnit != nil || contact != nil else {
            throw node.error("must set `rrUnit` or `contact`")
        }
        self.init(manufacturer: manufacturer, model: model, rrUnit: rrUnit, contact: contact)
    }
}
