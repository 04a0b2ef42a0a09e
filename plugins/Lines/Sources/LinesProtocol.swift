import GatewayCore
package import HealthModel
import JSON
package import Readings
package import Serial

/// The protocol of devices that print values as lines of text.
package struct LinesProtocol: SerialProtocol {
    /// The line settings with the configured or preset baud rate.
    package let lineSettings: LineSettings
    private let adapter: LinesAdapter

    /// Makes a protocol of a preset, optionally with another baud rate.
    ///
    /// - Throws: ``LineTemplateError`` if a template of the preset is invalid.
    package init(
        preset: LinePreset, baud: BaudRate? = nil, types: QuantityTypes = .standard
    ) throws(LineTemplateError) {
        lineSettings = LineSettings(baud: baud ?? preset.baud)
        adapter = LinesAdapter(reader: try LineReader(preset, types: types))
    }

    /// Nothing is known in advance about the device.
    package var device: Device { Device() }

    /// Makes an adapter in its initial state.
    package func makeAdapter() -> any DeviceAdapter { adapter }
}

extension LinesProtocol {
    /// Makes protocols from `{ use: "lines", preset: "steps", baud: 115200 }`, or with
    /// `templates` instead of a preset, whose default baud rate is 9600.
    package static var factory: SerialProtocolFactory {
        SerialProtocolFactory(use: "lines", about: about) { node throws(ConfigurationError) in
            let settings = try node.object(keys: ["use", "preset", "templates", "baud"])
            let baud = try settings["baud"].map { node throws(ConfigurationError) in
                try BaudRate(node)
            }
            if let templates = settings["templates"] {
                if let preset = settings["preset"] {
                    throw preset.error("cannot be combined with `templates`; remove one of them")
                }
                let preset = try customPreset(templates, baud ?? .baud9600)
                return try makeProtocol(preset, templates)
            }
            let names = LinePreset.table.map(\.name)
            guard let presetNode = settings["preset"] else {
                throw node.error(
                    "the key `preset` is missing; known: \(names.joined(separator: ", ")); "
                        + "or set `templates`")
            }
            let name = try presetNode.choice(of: names)
            // `choice` has checked the name.
            guard let preset = LinePreset.table.first(where: { $0.name == name }) else {
                throw presetNode.error("unknown preset")
            }
            return try makeProtocol(preset, presetNode, baud)
        }
    }

    private static func makeProtocol(
        _ preset: LinePreset, _ node: ConfigurationNode, _ baud: BaudRate? = nil
    ) throws(ConfigurationError) -> LinesProtocol {
        do {
            return try LinesProtocol(preset: preset, baud: baud, types: node.types)
        } catch {
            throw node.error("\(error)")
        }
    }

    /// The maximum number of templates.
    static let templateLimit = 16

    private static func customPreset(
        _ node: ConfigurationNode, _ baud: BaudRate
    ) throws(ConfigurationError) -> LinePreset {
        var templates: [String] = []
        for entry in try node.array() {
            let text = try entry.string()
            guard text.utf8.count <= LineTerminator.lengthLimit else {
                throw entry.error("must be up to \(LineTerminator.lengthLimit) bytes")
            }
            do {
                _ = try LineTemplate(text, types: node.types)
            } catch {
                throw entry.error("\(error)")
            }
            templates.append(text)
        }
        guard (1...templateLimit).contains(templates.count) else {
            throw node.error(
                "must have 1 to \(templateLimit) templates, such as \"Steps: {steps}\"")
        }
        return LinePreset(
            name: "templates", baud: baud, templates: templates, counter: .unbounded,
            examples: [])
    }
}
