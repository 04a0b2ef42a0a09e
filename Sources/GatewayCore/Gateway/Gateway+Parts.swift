package import HealthModel
import JSON

extension Gateway {
    /// A source with its configured name.
    public struct NamedSource: Sendable {
        /// The configured name.
        public let name: String
        /// The source.
        public let source: any Source
        /// The settings from which it was made.
        package let settings: ComponentSettings

        /// Names a source.
        public init(name: String, source: any Source) {
            self.init(name: name, source: source, settings: ComponentSettings())
        }

        /// Names a source that was made of these settings.
        package init(name: String, source: any Source, settings: ComponentSettings) {
            self.name = name
            self.source = source
            self.settings = settings
        }
    }

    /// A sink with its configured name and the options of every sink.
    public struct NamedSink: Sendable {
        /// The configured name.
        public let name: String
        /// The sink.
        public let sink: any Sink
        /// The types, the batch limits and the buffer limits.
        public let options: SinkOptions
        /// The settings from which it was made.
        package let settings: ComponentSettings
        /// Whether it gives the records to a program that the configuration names.
        package var isProgram = false
        /// What decides which records it gets; nil for all of its types.
        package var permission: RecordPermission?

        /// Names a sink.
        public init(name: String, sink: any Sink, options: SinkOptions = SinkOptions()) {
            self.init(name: name, sink: sink, options: options, settings: ComponentSettings())
        }

        /// Names a sink that was made of these settings.
        package init(
            name: String, sink: any Sink, options: SinkOptions, settings: ComponentSettings
        ) {
            self.name = name
            self.sink = sink
            self.options = options
            self.settings = settings
        }

        /// Its registration in the journal.
        public var journalSink: JournalSink {
            var registration = JournalSink(name, options: options)
            registration.readsRecords = (sink as? any LineSink)?.readsRecords ?? true
            return registration
        }
    }

    /// The sources, sinks and types of a gateway, which may change while it runs.
    package struct Parts: Sendable {
        /// The sources, in the order of the configuration.
        package var sources: [NamedSource]
        /// The sinks, in the order of the configuration.
        package var sinks: [NamedSink]
        /// The known types.
        package var types: QuantityTypes

        /// Makes parts.
        package init(
            sources: [NamedSource], sinks: [NamedSink], types: QuantityTypes = .standard
        ) {
            self.sources = sources
            self.sinks = sinks
            self.types = types
        }
    }
}

/// The settings of a source or sink, compared on reload.
package struct ComponentSettings: Hashable, Sendable {
    /// Its value in the configuration.
    private let value: JSONValue?
    /// The adopted devices that it finds by itself.
    private let adopted: [String]
    /// The types that it may use.
    private let types: QuantityTypes
    /// The revisions of the stored secrets that it reads, so that a replaced one is a change.
    private var secrets: [PlainName: FileRevision] = [:]

    /// Makes the settings of a component without a configuration.
    package init() {
        value = nil
        adopted = []
        types = .standard
    }

    /// Makes settings from a configuration node, adopted devices and custom types.
    ///
    /// A sink may use any type, a source only those that its settings name.
    package init(
        _ node: ConfigurationNode, adopted: [String] = [], namesItsTypes: Bool = false
    ) {
        value = node.value
        self.adopted = adopted
        types = namesItsTypes ? node.types.named(in: node.value.json) : node.types
    }

    /// The same settings with the revisions of the secrets in a folder.
    package func reading(secretsIn folder: String) -> ComponentSettings {
        guard let value else { return self }
        var settings = self
        for name in Secret.storedNames(in: value) {
            settings.secrets[name] = FileRevision(of: "\(folder)/\(name)")
        }
        return settings
    }
}
