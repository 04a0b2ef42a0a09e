/// A thermometer with a Bluetooth LE service of its maker.
struct BluetoothTemplate {
    let plugin: NewPlugin
    private let text: TemplateText

    init(_ plugin: NewPlugin) {
        self.plugin = plugin
        text = TemplateText(plugin)
    }

    private var module: String { plugin.name.module }
    private var use: String { plugin.name.use }
    private var type: String { plugin.type }

    var files: [TemplateFile] {
        [
            TemplateFile("README.md", readme),
            TemplateFile("sample.json5", sample),
            TemplateFile("Sources/\(type).swift", profile),
            text.description(
                summary: "Reads the Bluetooth thermometer \(plugin.name.stem).", sample: sample),
            TemplateFile("Tests/\(module)Tests.swift", BluetoothTestTemplate(plugin).tests),
            TemplateFile("Fixtures/warm/capture", BluetoothTestTemplate(plugin).capture),
            TemplateFile("Fixtures/warm/expected.ndjson", BluetoothTestTemplate.expected),
        ]
    }

    private var sample: String {
        """
        {
          sources: {
            skin: {
              use: "bluetooth",
              devices: ["D0:11:22:33:44:55"],
              profiles: ["\(use)"],
            },
          },
          sinks: {
            store: { use: "sqlite" },
          },
        }

        """
    }

    private var profile: String {
        """
        \(text.access) import Bluetooth
        \(text.access) import ByteDecoding
        import GatewayCore
        \(text.access) import HealthModel
        import JSON
        import Readings

        /// A thermometer on the skin with a Bluetooth LE service of its maker.
        ///
        /// A measurement: flags (bit 0: skin contact), hundredths of a degree Celsius (16 bits, signed, low
        /// byte first).
        \(text.access) struct \(type): GATTProfile {
            /// The measurement, which the thermometer notifies each second.
            static let measurement = BluetoothUUID(long: 0x5B76_0002_B423_491B_AECA_4A16_8AB3_E1EB)
            /// The bit of the flags for contact with the skin; all others are reserved.
            private static let contactBit: UInt8 = 1

            /// Makes the profile from `"\(use)"` or `{ use: "\(use)" }`.
            \(text.access) static let factory = GATTProfileFactory(
                use: "\(use)", about: about
            ) { node throws(ConfigurationError) in
                _ = try node.object(keys: ["use"])
                return \(type)()
            }

            /// The name in the configuration.
            \(text.access) let name = "\(use)"
            /// The service, which the thermometer advertises.
            \(text.access) let service = BluetoothUUID(long: 0x5B76_0001_B423_491B_AECA_4A16_8AB3_E1EB)
            /// The measurement.
            \(text.access) let subscriptions = [Self.measurement]
            /// The thermometer notifies each second.
            \(text.access) let silenceLimitSeconds: Double? = 10

            /// Decodes a measurement; without contact the temperature is that of the air, and is ignored.
            \(text.access) func decode(
                _ value: [UInt8], of characteristic: BluetoothUUID, from device: Device
            ) throws(ByteDecodingError) -> GATTDecoding {
                guard characteristic == Self.measurement else { throw .unknown }
                var reader = ByteReader(value)
                let flags = try reader.uint8()
                let hundredths = try reader.int16()
                let hasContact = flags & Self.contactBit != 0
                var result = GATTDecoding([.state(.contact(hasContact))])
                guard hasContact else { return result }
                guard let quantity = try? Quantity(Double(hundredths) / 100, .degreeCelsius) else {
                    throw .invalid
                }
                result.readings.append(.instant(.bodyTemperature, quantity))
                return result
            }
        }

        """
    }

    private var readme: String {
        """
        # \(module)

        Reads the Bluetooth thermometer \(plugin.name.stem). It is the example that `pulsegate new` writes: replace the service, the
        characteristic, the readings and the texts by those of your device. `pulsegate inspect ADDRESS` shows what a device
        offers and sends.

        ## Configuration

        [sample.json5](sample.json5) is a complete configuration:

        ```json5
        \(sample)```

        The profile has no settings. Without `profiles` a Bluetooth source uses all built-in profiles.

        ## Samples

        | sample | from |
        |---|---|
        | `bodyTemperature`, `degC` | each measurement with skin contact |

        Skin contact is a state of the device. A value that ends too early is counted as `damaged`. Reserved flags and extra bytes
        are ignored.

        ## Permissions

        No additional permissions.

        \(text.testing(fixtureText))
        """
    }

    private var fixtureText: String {
        let test = plugin.home == .clone ? "CaptureFixtureTests" : "PluginTests"
        return "`swift test --filter \(test)` replays `Fixtures/warm`."
    }
}
