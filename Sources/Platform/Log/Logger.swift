/// A logger: writes a message with a level and key-value fields.
///
/// Never log health values or secrets. Values from devices are allowed: ``LogFormat`` escapes
/// control characters.
public struct Logger: Sendable {
    /// The severity, with the numbers of syslog (RFC 5424, table 2).
    public enum Level: Int, Sendable, Comparable, CaseIterable {
        /// Details for debugging the gateway itself.
        case debug = 7
        /// Normal operation.
        case info = 6
        /// Something needs attention; the rest continues to work.
        case warning = 4
        /// Something does not work.
        case error = 3

        /// Whether `left` is less severe than `right`.
        public static func < (left: Level, right: Level) -> Bool { left.rawValue > right.rawValue }
    }

    /// One line of the log.
    public struct Record: Sendable {
        /// The severity.
        public let level: Level
        /// The origin: the name of a source or sink, or a part of the gateway.
        public let component: String
        /// The event, as a short constant text.
        public let message: String
        /// The details of this event.
        public let fields: [(key: String, value: String)]

        /// Makes a line.
        package init(
            level: Level, component: String, message: String,
            fields: [(key: String, value: String)]
        ) {
            self.level = level
            self.component = component
            self.message = message
            self.fields = fields
        }
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

    /// A logger with the same output for another component.
    public func named(_ component: String) -> Logger {
        Logger(component: component, output: output)
    }

    /// Logs a detail for debugging.
    public func debug(_ message: String, _ fields: KeyValuePairs<String, String> = [:]) {
        log(.debug, message, fields)
    }

    /// Logs normal operation.
    public func info(_ message: String, _ fields: KeyValuePairs<String, String> = [:]) {
        log(.info, message, fields)
    }

    /// Logs something that needs attention while the rest continues to work.
    public func warning(_ message: String, _ fields: KeyValuePairs<String, String> = [:]) {
        log(.warning, message, fields)
    }

    /// Logs a failure.
    public func error(_ message: String, _ fields: KeyValuePairs<String, String> = [:]) {
        log(.error, message, fields)
    }

    /// Logs a failure whose details are not known before.
    package func error(_ message: String, fields: [(key: String, value: String)]) {
        output(Record(level: .error, component: component, message: message, fields: fields))
    }

    /// Writes a line that another logger has made.
    package func write(_ record: Record) { output(record) }

    private func log(_ level: Level, _ message: String, _ fields: KeyValuePairs<String, String>) {
        output(
            Record(
                level: level, component: component, message: message,
                fields: fields.map { ($0.key, $0.value) }))
    }
}
