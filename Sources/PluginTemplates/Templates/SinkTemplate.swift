/// A sink that writes every record as a file.
struct SinkTemplate {
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
            TemplateFile("Sources/\(type).swift", sink),
            TemplateFile("Sources/RecordFolder.swift", Self.recordFolder),
            text.description(
                summary: "Writes every record into a folder, as a file of JSON.",
                settings: """
                    settings: [
                        PluginDescription.Setting(
                            "folder", "the folder, relative to the data directory",
                            default: "\(use)")
                    ],

                    """, sample: sample),
            TemplateFile("Tests/\(module)Tests.swift", SinkTestTemplate(plugin).tests),
        ]
    }

    private var sample: String {
        """
        {
          sources: {
            foot: { use: "serial", port: { path: "/dev/ttyUSB0" }, protocol: { use: "lines", preset: "steps" } },
          },
          sinks: {
            store: { use: "sqlite" },
            files: { use: "\(use)", folder: "records", types: ["stepCount"] },
          },
        }

        """
    }

    private var sink: String {
        """
        \(text.access) import GatewayCore
        \(text.access) import HealthModel
        import JSON
        import Platform

        /// A sink that writes every record into a folder, as a file of JSON named after its id.
        ///
        /// Another program processes the files and removes them. A batch that comes again makes no second
        /// file of a record, because the id is the name.
        \(text.access) actor \(type): Sink {
            /// Makes the sink from `{ use: "\(use)", folder: "records" }`.
            \(text.access) static let factory = SinkFactory(
                use: "\(use)", keys: ["folder"], about: about
            ) { settings, context throws(ConfigurationError) in
                let folder = try settings["folder"]?.string() ?? "\(use)"
                return \(type)(
                    folder: context.resolve(folder), durability: context.durability)
            }

            private let folder: RecordFolder
            /// A thread of its own, because writing a file may block.
            private let executor = QueueExecutor(label: "\(use)")

            init(folder: String, durability: Durability = .crash) {
                self.folder = RecordFolder(path: folder, waitsForDisk: durability == .powerLoss)
            }

            /// The thread of the sink.
            \(text.access) nonisolated var unownedExecutor: UnownedSerialExecutor {
                executor.asUnownedSerialExecutor()
            }

            /// Writes the records; returns when all of them are stored.
            \(text.access) func write(_ batch: [Record]) async throws {
                guard !batch.isEmpty else { return }
                try folder.create()
                for record in batch {
                    // The batch comes again: files that are there already do no harm.
                    try Task.checkCancellation()
                    var line: [UInt8] = []
                    RecordEncoder.append(record, to: &line)
                    line.append(UInt8(ascii: "\\n"))
                    try folder.write(line, to: "\\(record.id).json")
                }
                folder.sync()
            }
        }

        """
    }

    /// It has no part of the name of the plugin.
    private static let recordFolder = #"""
        import GatewayCore
        import Glibc
        import Platform

        /// A folder of small files that appear in it whole.
        struct RecordFolder {
            let path: String
            /// Whether a file must survive a loss of power.
            let waitsForDisk: Bool
            /// Another sink, as after a reload, has other drafts.
            private let draft = ".draft-\(UInt64.random(in: 0...UInt64.max))"

            init(path: String, waitsForDisk: Bool) {
                self.path = path
                self.waitsForDisk = waitsForDisk
            }

            /// Creates the folder, which only this user can read.
            func create() throws(SinkError) {
                guard mkdir(path, 0o700) != 0 else { return }
                let code = errno
                if code != EEXIST { throw Self.failure(path, code) }
            }

            /// Replaces a file: a reader finds nothing, or all of it.
            func write(_ bytes: [UInt8], to name: String) throws(SinkError) {
                let draftPath = "\(path)/\(draft)"
                let file = open(draftPath, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
                guard file >= 0 else { throw Self.failure(path, errno) }
                defer { close(file) }
                do throws(OutputDescriptor.Failure) {
                    try OutputDescriptor(descriptor: file).write(bytes)
                } catch {
                    throw Self.failure(path, error.code)
                }
                guard !waitsForDisk || fsync(file) == 0 else { throw Self.failure(path, errno) }
                guard rename(draftPath, "\(path)/\(name)") == 0 else {
                    throw Self.failure(path, errno)
                }
            }

            /// Makes the names of new files survive a loss of power.
            func sync() {
                if waitsForDisk { SystemCall.syncDirectory(of: "\(path)/\(draft)") }
            }

            /// A full disk may have space again soon, and an error of the disk may pass; anything else needs the
            /// operator.
            private static func failure(_ path: String, _ code: Int32) -> SinkError {
                let problem = "\(path): \(SystemCall.message(of: code))"
                return switch code {
                case ENOSPC, EDQUOT: .storageFull(reason: problem)
                case EIO, EMFILE, ENFILE: .retry(reason: problem, after: nil)
                default: .blocked(reason: "\(problem); the folder must be writable for this user")
                }
            }
        }

        """#

    private var readme: String {
        """
        # \(module)

        Writes every record into a folder, as a file of JSON named after its id. It is the example that `pulsegate new` writes:
        replace the folder by your destination.

        ## Configuration

        [sample.json5](sample.json5) is a complete configuration:

        ```json5
        \(sample)```

        | setting | |
        |---|---|
        | `folder` | the folder, relative to the data directory; default `\(use)` |

        `types`, `buffer`, `batch`, `from` and `previousName` are the options of every sink.

        ## Output

        A file `ID.json` appears whole, with one line in the format of the other sinks. Remove a file after it was
        processed. A record that comes again after a crash has the same id.

        When the disk is full, the sink tries again every few seconds. When the folder cannot be written, `pulsegate status` shows the
        reason, and the records wait in the journal.

        ## Permissions

        Write access to the folder.

        \(text.testing())
        """
    }
}
