package import HealthModel
import JSON

extension Gateway {
    /// A source under the user's name for it.
    public struct NamedSource: Sendable {
        /// The user's name for it.
        public let name: String
        /// The source.
        public let source: any Source
        /// What it was made of.
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

    /// A sink under the user's name for it, with what every sink may have.
    public struct NamedSink: Sendable {
        /// The user's name for it.
        public let name: String
        /// The sink.
        public let sink: any Sink
        /// What it gets, and how far it may lag.
        public let options: SinkOptions
        /// What it was made of.
        package let settings: ComponentSettings

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

        /// What the journal has to know of it.
        public var journalSink: JournalSink { JournalSink(name, options: options) }
    }

    /// What a gateway is made of, which may change while it runs.
    package struct Parts: Sendable {
        /// The sources, in the order of the configuration.
        package var sources: [NamedSource]
        /// The sinks, in the order of the configuration.
        package var sinks: [NamedSink]
        /// The types whose samples there may be.
        package var types: QuantityTypes

        /// Puts parts together.
        package init(
            sources: [NamedSource], sinks: [NamedSink], types: QuantityTypes = .standard
        ) {
            self.sources = sources
            self.sinks = sinks
            self.types = types
        }
    }
}

/// What a source or a sink was made of: with the same settings it is the same one.
package struct ComponentSettings: Hashable, Sendable {
    /// Its place in the configuration.
    private let value: JSONValue?
    /// The devices that it finds by itself because they are the user's own.
    private let adopted: [String]
    /// The custom types that matter to it.
    private let types: QuantityTypes

    /// The settings of something that no configuration names.
    package init() {
        value = nil
        adopted = []
        types = .standard
    }

    /// Takes what stands in the configuration, and the user's own devices and custom types where they
    /// matter: a sink may get samples of any type, a source makes those that its settings name.
    package init(
        _ node: ConfigurationNode, adopted: [String] = [], namesItsTypes: Bool = false
    ) {
        value = node.value
        self.adopted = adopted
        types = namesItsTypes ? node.types.named(in: node.value.json) : node.types
    }
}
