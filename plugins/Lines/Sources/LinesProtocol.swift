package import GatewayCore
package import HealthModel
package import Serial

/// A pedometer that prints its counters as lines of text.
package struct LinesProtocol: SerialProtocol {
    /// The line, at the preset's rate or the configured one.
    package let lineSettings: LineSettings
    private let adapter: LinesAdapter

    /// Makes a protocol of a preset, perhaps at another rate.
    ///
    /// - Throws: ``LineTemplateError`` when a template of the preset is none.
    package init(preset: LinePreset, baud: BaudRate? = nil) throws(LineTemplateError) {
        lineSettings = LineSettings(baud: baud ?? preset.baud)
        adapter = LinesAdapter(reader: try LineReader(preset))
    }

    /// Nothing is known: the text does not say whose board prints it.
    package var device: Device { Device() }

    /// Makes an adapter that has seen nothing yet.
    package func makeAdapter() -> any DeviceAdapter { adapter }
}

extension LinesProtocol {
    /// Makes protocols from `{ use: "lines", preset: "steps", baud: 115200 }`.
    package static var factory: SerialProtocolFactory {
        SerialProtocolFactory(use: "lines", about: about) { node throws(ConfigurationError) in
            let settings = try node.object(keys: ["use", "preset", "baud"])
            let presetNode = try settings.require("preset")
            let name = try presetNode.choice(of: LinePreset.table.map(\.name))
            var baud: BaudRate?
            if let node = settings["baud"] { baud = try BaudRate(node) }
            // The name is one of the table's, as `choice` has found.
            guard let preset = LinePreset.table.first(where: { $0.name == name }) else {
                throw presetNode.error("no such preset")
            }
            do {
                return try LinesProtocol(preset: preset, baud: baud)
            } catch {
                throw presetNode.error("\(error)")
            }
        }
    }
}
