/// A source that reads a thermometer which the kernel shows as a file.
struct SourceTemplate {
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
            TemplateFile("Sources/\(type).swift", source),
            TemplateFile("Sources/\(type)+Factory.swift", factory),
            TemplateFile("Sources/SensorFiles.swift", Self.sensorFiles),
            text.description(
                summary: "Reads a thermometer that the kernel shows as a file.",
                settings: """
                    settings: [
                        PluginDescription.Setting(
                            "path", "the file, with a temperature in thousandths of a degree Celsius"),
                        PluginDescription.Setting(
                            "every", "time between two values", kind: .span, default: "10s"),
                    ],

                    """, sample: sample),
            TemplateFile("Tests/\(module)Tests.swift", SourceTestTemplate(plugin).tests),
        ]
    }

    private var sample: String {
        """
        {
          sources: {
            skin: { use: "\(use)", path: "/sys/class/hwmon/hwmon0/temp1_input", every: "10s" },
          },
          sinks: {
            store: { use: "sqlite" },
          },
        }

        """
    }

    private var source: String {
        """
        \(text.access) import GatewayCore
        import HealthModel
        import Platform
        import Readings

        /// A source that reads a thermometer which the kernel shows as a file.
        ///
        /// The device is the file: it is open while its values can be read.
        \(text.access) struct \(type): Source {
            /// The transport in the claim of a source.
            static let transport = "file"

            private let path: String
            private let intervalSeconds: Double
            private let context: ComponentContext
            private let files: SensorFiles

            init(path: String, intervalSeconds: Double, context: ComponentContext, files: SensorFiles) {
                self.path = path
                self.intervalSeconds = intervalSeconds
                self.context = context
                self.files = files
            }

            /// Reads the file until the task is cancelled or the file cannot be read.
            ///
            /// - Throws: ``LinkError`` with its remedy; `CancellationError` when the task is cancelled.
            \(text.access) func run(into inlet: any ReadingInlet) async throws {
                try Task.checkCancellation()
                var bytes = try await files.read(path)
                let device = Device(name: context.name, localIdentifier: path)
                await report(.opened(device, at: context.clock.now()), to: inlet)
                do {
                    while true {
                        let now = context.clock.now()
                        await report(Self.content(of: bytes, at: now), to: inlet)
                        try await context.clock.sleep(until: now.adding(seconds: intervalSeconds))
                        bytes = try await files.read(path)
                    }
                } catch {
                    let reason = (error as? LinkError)?.problem ?? "stopped"
                    await report(.closed(at: context.clock.now(), reason: reason), to: inlet)
                    throw error
                }
            }

            /// The report about the bytes of the file: `36600` and a line feed are 36.6 degrees Celsius.
            static func content(of bytes: [UInt8], at now: BootInstant) -> DeviceReport.Content {
                let digits = bytes.last == UInt8(ascii: "\\n") ? bytes.dropLast() : bytes[...]
                guard let thousandths = Int32(String(decoding: digits, as: UTF8.self)),
                    let quantity = try? Quantity(Double(thousandths) / 1_000, .degreeCelsius)
                else { return .dropped([.invalid: 1]) }
                return .readings([TimedReading(.instant(.bodyTemperature, quantity), at: now)])
            }

            private func report(
                _ content: DeviceReport.Content, to inlet: any ReadingInlet
            ) async {
                await inlet.report(DeviceReport(device: path, content))
            }
        }

        """
    }

    private var factory: String {
        """
        \(text.access) import GatewayCore
        import JSON

        extension \(type) {
            /// Makes the source from `{ use: "\(use)", path: "/sys/…", every: "10s" }`.
            \(text.access) static let factory = makeFactory()

            private static let keys = ["use", "path", "every"]

            /// All sources of the factory share the thread that reads files.
            private static func makeFactory() -> SourceFactory {
                let files = SensorFiles()
                return SourceFactory(use: "\(use)", about: about, claim: claim) {
                    node, context throws(ConfigurationError) in
                    let settings = try node.object(keys: keys)
                    return \(type)(
                        path: try path(in: settings),
                        intervalSeconds: try settings["every"]?.duration(in: 0.1...86_400) ?? 10,
                        context: context, files: files)
                }
            }

            /// The file has one source: with two, each of its values would be stored twice.
            private static func claim(
                _ node: ConfigurationNode
            ) throws(ConfigurationError) -> DeviceClaim {
                DeviceClaim(.named([try path(in: try node.object(keys: keys))]), over: transport)
            }

            private static func path(
                in settings: ConfigurationObject
            ) throws(ConfigurationError) -> String {
                let node = try settings.require("path")
                let path = try node.string()
                guard path.hasPrefix("/") else { throw node.error("must be an absolute path") }
                return path
            }
        }

        """
    }

    /// It has no part of the name of the plugin.
    private static let sensorFiles = #"""
        import GatewayCore
        import Glibc
        import Platform

        /// A reader of the small files in which the kernel shows the values of sensors.
        ///
        /// A sensor may need a second for a value, so the files are read on a thread of their own.
        actor SensorFiles {
            /// No value is longer, in bytes.
            private static let longestValue = 64

            private let executor = QueueExecutor(label: "sensor files")

            nonisolated var unownedExecutor: UnownedSerialExecutor {
                executor.asUnownedSerialExecutor()
            }

            /// Reads the beginning of a file.
            ///
            /// - Throws: ``LinkError`` when the file or its sensor cannot be read.
            func read(_ path: String) throws(LinkError) -> [UInt8] {
                let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
                guard file >= 0 else { throw Self.failure(path, errno) }
                defer { close(file) }
                let (bytes, code) = SystemCall.read(file, limit: Self.longestValue)
                guard code == 0 else { throw Self.failure(path, code) }
                return bytes
            }

            private static func failure(_ path: String, _ code: Int32) -> LinkError {
                let remedy =
                    code == ENOENT
                    ? "load the driver of the sensor, and compare the path with `ls /sys/class/hwmon`"
                    : nil
                return LinkError("\(path): \(SystemCall.message(of: code))", remedy: remedy)
            }
        }

        """#

    private var readme: String {
        """
        # \(module)

        Reads a thermometer that the kernel shows as a file, such as a sensor on I2C or 1-Wire. It is the example that
        `pulsegate new` writes: replace the file by your transport.

        ## Configuration

        [sample.json5](sample.json5) is a complete configuration:

        ```json5
        \(sample)```

        | setting | |
        |---|---|
        | `path` | the file, with a temperature in thousandths of a degree Celsius |
        | `every` | time between two values; default `"10s"` |

        ## Samples

        | sample | from |
        |---|---|
        | `bodyTemperature`, `degC` | each reading of the file |

        A content that is not a whole number is counted as `invalid`. When the file cannot be read, the device counts as disconnected, and
        the source tries again with a growing delay.

        ## Permissions

        Read access to the file.

        \(text.testing())
        """
    }
}
