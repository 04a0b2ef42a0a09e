import GatewayCore
package import HealthModel
import JSON
import Platform
import Programs
import Readings
package import Serial

/// The protocol of a device on a serial port that a program decodes.
package struct ExecProtocol: SerialProtocol, ProgramConfigured {
    /// The line settings with the configured baud rate.
    package let lineSettings: LineSettings
    /// The configured limit, if there is one.
    package let silenceLimitSeconds: Double?
    /// The configured program.
    package let decoder: ProgramDecoder

    private init(
        _ decoder: ProgramDecoder, baud: BaudRate, silenceLimitSeconds: Double?
    ) {
        self.decoder = decoder
        self.silenceLimitSeconds = silenceLimitSeconds
        lineSettings = LineSettings(baud: baud)
    }

    /// Nothing is known in advance about the device.
    package var device: Device { Device() }

    /// The factory for `protocol: { use: "exec", command: ["my-decoder"], baud: 115200 }`.
    package static let factory = SerialProtocolFactory(
        use: "exec", about: about, isProgram: true
    ) { node throws(ConfigurationError) in
        let settings = try node.object(
            keys: ["use", "baud", "silenceLimit"] + ProgramSettings.keys)
        return ExecProtocol(
            try ProgramDecoder(settings, types: node.types),
            baud: try settings["baud"].map { node throws(ConfigurationError) in
                try BaudRate(node)
            } ?? .baud9600,
            silenceLimitSeconds: try ProgramDecoder.silenceLimit(settings))
    }
}
