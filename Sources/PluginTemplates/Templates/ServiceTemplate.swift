/// A service that shows the newest heart rate of a person in a small file.
struct ServiceTemplate {
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
            TemplateFile("Sources/\(type).swift", service),
            TemplateFile("Sources/ValueFile.swift", Self.valueFile),
            text.description(
                summary: "Shows the newest heart rate of a person in a file.",
                settings: """
                    settings: [
                        PluginDescription.Setting("person", "the person whose heart rate is shown"),
                        PluginDescription.Setting(
                            "file", "the file, relative to the data directory",
                            default: "heart-rate.txt"),
                    ],

                    """, sample: sample),
            TemplateFile("Tests/\(module)Tests.swift", ServiceTestTemplate(plugin).tests),
        ]
    }

    private var sample: String {
        """
        {
          people: { ada: {} },
          services: {
            display: { use: "\(use)", person: "ada", file: "heart-rate.txt" },
          },
        }

        """
    }

    private var service: String {
        """
        \(text.access) import GatewayCore
        import HealthModel
        import JSON

        /// A service that shows the newest heart rate of a person in a small file, as a display reads it.
        \(text.access) struct \(type): Service {
            /// Makes the service from `{ use: "\(use)", person: "ada" }`.
            \(text.access) static let factory = ServiceFactory(
                use: "\(use)", keys: ["person", "file"], about: about
            ) { settings, context throws(ConfigurationError) in
                let file = try settings["file"]?.string() ?? "heart-rate.txt"
                return \(type)(
                    person: try context.person(settings.require("person")),
                    file: ValueFile(path: context.resolve(file)))
            }

            let person: String
            let file: ValueFile

            /// Shows every heart rate until the task is cancelled.
            \(text.access) func run(_ gateway: ServiceAccess) async throws {
                let records = gateway.live.subscribeBuffered()
                defer { gateway.live.cancel(records) }
                while let delivery = await records.next() {
                    // Only the newest value counts, so a gap is of no interest.
                    guard case .records(let batch) = delivery, let rate = newestRate(in: batch) else {
                        continue
                    }
                    do throws(ValueFile.Failure) {
                        try file.replace(with: "\\(rate)\\n")
                        gateway.report(nil)
                    } catch {
                        // The next value may be written again.
                        gateway.report(error.description)
                    }
                }
            }

            /// The newest heart rate of the person in beats per minute; nil when there is none.
            func newestRate(in batch: [Record]) -> Int? {
                for case .sample(let sample) in batch.reversed()
                where sample.type == .heartRate && sample.person == person {
                    // A record can have any value; one that is no whole number of `Int` is not shown.
                    guard let value = try? sample.quantity.value(in: .countPerMinute) else { continue }
                    if let rate = Int(exactly: value.rounded()) { return rate }
                }
                return nil
            }
        }

        """
    }

    /// It has no part of the name of the plugin.
    private static let valueFile = #"""
        import Glibc
        import Platform

        /// A small file that is replaced as a whole, so that a reader finds the old value or the new one.
        struct ValueFile {
            /// The reason why the file cannot be replaced.
            struct Failure: Error, CustomStringConvertible {
                let description: String

                init(_ path: String, _ code: Int32) {
                    description = "\(path): \(SystemCall.message(of: code))"
                }
            }

            let path: String

            /// Replaces the file, which only this user can read.
            func replace(with text: String) throws(Failure) {
                let draft = "\(path).new"
                let file = open(draft, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0o600)
                guard file >= 0 else { throw Failure(draft, errno) }
                defer { close(file) }
                do throws(OutputDescriptor.Failure) {
                    try OutputDescriptor(descriptor: file).write(Array(text.utf8))
                } catch {
                    throw Failure(draft, error.code)
                }
                guard rename(draft, path) == 0 else { throw Failure(path, errno) }
            }
        }

        """#

    private var readme: String {
        """
        # \(module)

        Shows the newest heart rate of a person in a small file, for a display or a status bar. It is the example that `pulsegate new`
        writes: replace the file by what shows or offers the values.

        ## Configuration

        [sample.json5](sample.json5) is a complete configuration:

        ```json5
        \(sample)```

        | setting | |
        |---|---|
        | `person` | the person whose heart rate is shown |
        | `file` | the file, relative to the data directory; default `heart-rate.txt` |

        ## Output

        The file has one line with the heart rate in beats per minute. It is replaced as a whole with every value, and stays when
        no more values come. When it cannot be written, `pulsegate status` shows the reason, and the next value is tried again.

        ## Permissions

        Write access to the folder of the file.

        \(text.testing())
        """
    }
}
