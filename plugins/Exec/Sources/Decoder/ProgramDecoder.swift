package import GatewayCore
import HealthModel
import JSON
import Platform
import Programs
package import Readings

/// A configured program that decodes for devices: one process for each link.
package struct ProgramDecoder: Sendable {
    private let settings: ProgramSettings
    private let types: QuantityTypes

    init(_ settings: ConfigurationObject, types: QuantityTypes) throws(ConfigurationError) {
        self.settings = try ProgramSettings(settings)
        self.types = types
    }

    func makeAdapter() -> any DeviceAdapter { DecodedLineAdapter(types: types) }

    func makeProgram(for device: String, _ context: ComponentContext) -> any DecoderProgram {
        DecoderProcess(
            Program(settings, context, variables: ["PULSEGATE_DEVICE": device]), for: device,
            context)
    }

    func check(_ context: ComponentContext) throws(ConfigurationError) {
        try Program(settings, context).check()
    }

    /// Reads the time without a reading after which the device is stale; nil for no limit.
    static func silenceLimit(
        _ settings: ConfigurationObject
    ) throws(ConfigurationError) -> Double? {
        guard let node = settings["silenceLimit"] else { return nil }
        let seconds = try node.number()
        guard (1...86_400).contains(seconds) else {
            throw node.error("must be from 1 to 86400 seconds")
        }
        return seconds
    }
}

/// A protocol or profile with a configured program.
package protocol ProgramConfigured: ProgramDecoded {
    /// The program.
    var decoder: ProgramDecoder { get }
}

extension ProgramConfigured {
    /// Makes the adapter of the program's lines.
    package func makeAdapter() -> any DeviceAdapter { decoder.makeAdapter() }

    /// Makes the program for the link of a device.
    package func makeProgram(
        for device: String, _ context: ComponentContext
    ) -> any DecoderProgram { decoder.makeProgram(for: device, context) }

    /// Checks that the program can be executed.
    package func checkProgram(_ context: ComponentContext) throws(ConfigurationError) {
        try decoder.check(context)
    }
}
