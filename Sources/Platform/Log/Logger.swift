/// Says what happens: a message, a level and keys with values.
///
/// Health values and secrets never go into a log. Values from devices may: what could disturb a
/// terminal is escaped by ``LogFormat``.
public struct Logger: Sendable {
    /// How much something matters, with the numbers of syslog (RFC 5424, table 2).
    public enum Level: Int, Sendable, Comparable, CaseIterable {
        /// Only of use when looking for a fault in the gateway itself.
        case debug = 7
        /// The ordinary course of events.
        case info = 6
        /// Somebody should do something, the rest goes on.
        case warning = 4
        /// Something does not work.
        case error = 3

        /// Whether `left` matters less than `right`.
        public static func < (left: Level, right: Level) -> Bool { left.rawValue > right.rawValue }
    }

    /// One line of the log.
    public struct Record: Sendable {
        /// How much it matters.
        public let level: Level
        /// Who says it: the name of a source, of a sink, or a part of the gateway.
        public let component: String
        /// What happened, in a few words.
        public let message: String
        /// The facts.
        public let fields: [(key: String, value: String)]
    }

    private let component: String
    private let output: @Sendable (Record) -> Void

    /// Makes a logger for a component.
    ///
    /// `output` is called on whatever thread logs.
    public init(component: String, output: @escaping @Sendable (Record) -> Void) {
        self.component = component
        self.output = output
    }

    /// The same log for another component.
    public func named(_ component: String) -> Logger {
        Logger(component: component, output: output)
    }

    /// Logs something for whoever looks for a fault in the gateway.
    public func debug(_ message: String, _ fields: KeyValuePairs<String, String> = [:]) {
        log(.debug, message, fields)
    }

    /// Logs the ordinary course of events.
    public func info(_ message: String, _ fields: KeyValuePairs<String, String> = [:]) {
        log(.info, message, fields)
    }

    /// Logs what somebody should mend while the rest goes on.
    public func warning(_ message: String, _ fields: KeyValuePairs<String, String> = [:]) {
        log(.warning, message, fields)
    }

    /// Logs what does not work.
    public func error(_ message: String, _ fields: KeyValuePairs<String, String> = [:]) {
        log(.error, message, fields)
    }

    private func log(_ level: Level, _ message: String, _ fields: KeyValuePairs<String, String>) {
        output(
            Record(
                level: level, component: component, message: message,
                fields: fields.map { ($0.key, $0.value) }))
    }
}
