package import GatewayCore
package import HealthModel
import JSON
package import Serial

/// A pedometer that prints its counters as lines of text.
package struct LinesProtocol: SerialProtocol {
    /// The line, at the preset's rate or the configured one.
    package let lineSettings: LineSettings
    private let adapter: LinesAdapter

    /// Makes a protocol of a preset, perhaps at another rate.
    ///
    /// - Throws: ``LineTemplateError`` when a template of the preset is none.
    package init(
        preset: LinePreset, baud: BaudRate? = nil, types: QuantityTypes = .standard
    ) throws(LineTemplateError) {
        lineSettings = LineSettings(baud: baud ?? preset.baud)
        adapter = LinesAdapter(reader: try LineReader(preset, types: types))
    }

    /// Nothing is known: the text does not say whose board prints it.
    package var device: Device { Device() }

    /// Makes an adapter that has seen nothing yet.
    package func makeAdapter() -> any DeviceAdapter { adapter }
}

extension LinesProtocol {
    /// Makes protocols from `{ use: "lines", preset: "steps", baud: 115200 }`, or from the user's own
    /// `templates` in the place of a preset.
    package static var factory: SerialProtocolFactory {
        SerialProtocolFactory(use: "lines", about: about) { node throws(ConfigurationError) in
            let settings = try node.object(keys: ["use", "preset", "templates", "baud"])
            if let templates = settings["templates"] {
                if let preset = settings["preset"] {
                    throw preset.error("`templates` says already what the lines look like")
                }
                let baud = try BaudRate(settings.require("baud"))
                return try spoken(ownPreset(templates, baud), templates)
            }
            let presetNode = try settings.require("preset")
            let name = try presetNode.choice(of: LinePreset.table.map(\.name))
            var baud: BaudRate?
            if let node = settings["baud"] { baud = try BaudRate(node) }
            // The name is one of the table's, as `choice` has found.
            guard let preset = LinePreset.table.first(where: { $0.name == name }) else {
                throw presetNode.error("no such preset")
            }
            return try spoken(preset, presetNode, baud)
        }
    }

    private static func spoken(
        _ preset: LinePreset, _ node: ConfigurationNode, _ baud: BaudRate? = nil
    ) throws(ConfigurationError) -> LinesProtocol {
        do {
            return try LinesProtocol(preset: preset, baud: baud, types: node.types)
        } catch {
            throw node.error("\(error)")
        }
    }

    /// So many templates there may be; each line is compared with one after the other.
    private static let templateLimit = 16

    private static func ownPreset(
        _ node: ConfigurationNode, _ baud: BaudRate
    ) throws(ConfigurationError) -> LinePreset {
        var templates: [String] = []
        for entry in try node.array() {
            let text = try entry.string()
            guard text.utf8.count <= LineSplitter.lengthLimit else {
                throw entry.error("is longer than a line can be: \(LineSplitter.lengthLimit) bytes")
            }
            do {
                _ = try LineTemplate(text, types: node.types)
            } catch {
                throw entry.error("\(error)")
            }
            templates.append(text)
        }
        guard (1...templateLimit).contains(templates.count) else {
            throw node.error("has 1 to \(templateLimit) templates, such as \"Steps: {steps}\"")
        }
        return LinePreset(
            name: "templates", baud: baud, templates: templates, counter: .unbounded,
            examples: [])
    }
}
