/// A step counter on a serial port, which sends frames with a checksum.
struct SerialTemplate {
    let plugin: NewPlugin
    private let text: TemplateText

    init(_ plugin: NewPlugin) {
        self.plugin = plugin
        text = TemplateText(plugin)
    }

    private var module: String { plugin.name.module }
    private var use: String { plugin.name.use }
    private var stem: String { plugin.name.stem }

    var files: [TemplateFile] {
        [
            TemplateFile("README.md", readme),
            TemplateFile("sample.json5", sample),
            TemplateFile("Sources/\(stem)Protocol.swift", serialProtocol),
            text.description(
                summary: "Reads the step counter \(stem) on a serial port.", sample: sample),
            TemplateFile("Sources/\(stem)Adapter.swift", adapter),
            TemplateFile("Tests/\(module)Tests.swift", SerialTestTemplate(plugin).tests),
            TemplateFile("Fixtures/walk/capture", SerialTestTemplate(plugin).capture),
            TemplateFile("Fixtures/walk/expected.ndjson", SerialTestTemplate.expected),
        ]
    }

    private var sample: String {
        """
        {
          sources: {
            foot: {
              use: "serial",
              port: { path: "/dev/ttyUSB0" },
              protocol: "\(use)",
            },
          },
          sinks: {
            store: { use: "sqlite" },
          },
        }

        """
    }

    private var serialProtocol: String {
        """
        import GatewayCore
        \(text.access) import HealthModel
        import JSON
        \(text.access) import Readings
        \(text.access) import Serial

        /// A step counter that sends a frame each second over a serial port.
        \(text.access) struct \(stem)Protocol: SerialProtocol {
            /// Makes the protocol from `protocol: "\(use)"`.
            \(text.access) static let factory = SerialProtocolFactory(
                use: "\(use)", about: about
            ) { node throws(ConfigurationError) in
                _ = try node.object(keys: ["use"])
                return \(stem)Protocol()
            }

            /// 9600 8N1.
            \(text.access) let lineSettings = LineSettings(baud: .baud9600)
            /// What is known of every such device.
            \(text.access) let device = Device(manufacturer: "Acme", model: "\(stem)")
            /// It sends a frame each second, also without a step.
            \(text.access) let silenceLimitSeconds: Double? = 10

            /// Makes the adapter for one connection.
            \(text.access) func makeAdapter() -> any DeviceAdapter { \(stem)Adapter() }
        }

        """
    }

    private var adapter: String {
        """
        import ByteDecoding
        import HealthModel
        import Readings

        /// The adapter that converts frames of the step counter \(stem) to readings.
        ///
        /// A frame: A5 5A, the total steps (16 bits, low byte first), the charge of the battery in percent,
        /// CRC-8 of these three bytes.
        struct \(stem)Adapter: DeviceAdapter {
            private static let layout = FrameLayout(
                start: [0xA5, 0x5A], length: .fixed(6), check: .crc(.crc8, from: 2))
            /// The number of steps after which the total starts again at zero.
            private static let modulus = 65_536.0

            private var splitter = FrameSplitter(layout)

            /// Handles an event; opening or closing the link forgets half a frame.
            mutating func handle(_ event: AdapterEvent) -> [AdapterAction] {
                switch event.kind {
                case .opened, .closed:
                    splitter.reset()
                    return []
                case .received(let bytes, _):
                    var pieces: [FrameSplitter.Piece] = []
                    splitter.split(bytes) { pieces.append($0) }
                    return pieces.flatMap { Self.actions(for: $0) }
                case .timer:
                    return []
                }
            }

            private static func actions(for piece: FrameSplitter.Piece) -> [AdapterAction] {
                guard case .frame(let frame) = piece else { return [.dropped(.damaged)] }
                var reader = ByteReader(Array(frame.dropFirst(layout.start.count)))
                guard let total = try? reader.uint16(), let percent = try? reader.uint8(), percent <= 100
                else { return [.dropped(.invalid)] }
                let steps = CounterReading(
                    .stepCount, value: Double(total), range: .rollsOver(at: modulus), unit: .count)
                return [.reading(.counter(steps)), .reading(.state(.battery(Double(percent) / 100)))]
            }
        }

        """
    }

    private var readme: String {
        """
        # \(module)

        Reads the step counter \(stem) on a serial port. It is the example that `pulsegate new` writes: replace the frame,
        the readings and the texts by those of your device.

        ## Configuration

        [sample.json5](sample.json5) is a complete configuration:

        ```json5
        \(sample)```

        The protocol has no settings.

        ## Samples

        | sample | from |
        |---|---|
        | `stepCount`, `count` | the difference between two totals; the first total after the link was opened makes none |

        The charge of the battery is a state of the device. A frame with a wrong checksum is counted as `damaged`, one
        with more than 100 percent as `invalid`. After ten seconds without a frame the device is stale.

        ## Permissions

        Read and write access to the port: on Debian and Ubuntu run `sudo usermod -aG dialout $USER`, then log in again.

        \(text.testing(fixtureText))
        """
    }

    private var fixtureText: String {
        let test = plugin.home == .clone ? "CaptureFixtureTests" : "PluginTests"
        return "`swift test --filter \(test)` replays `Fixtures/walk`."
    }
}
