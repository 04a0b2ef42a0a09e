/// What a plugin tells about itself, for whoever asks the command `plugins`.
public struct PluginDescription: Hashable, Sendable {
    /// A key of the plugin's settings.
    public struct Setting: Hashable, Sendable {
        /// The key: `preset`.
        public let name: String
        /// What its value is: `size`, `list of strings`.
        public let kind: Kind
        /// What it means, in a few words.
        public let meaning: String
        /// What holds when it is left out; nil when it must not be.
        public let defaultValue: String?

        /// Kinds of values.
        public enum Kind: Hashable, Sendable, CustomStringConvertible {
            /// A text.
            case string
            /// `true` or `false`.
            case boolean
            /// A number, whose unit the meaning says.
            case number
            /// A number with a unit of bytes: `"64 MiB"`.
            case size
            /// A span of time: `"90s"`, `"15m"`, `"24h"`, `"7d"`, `"2w"`.
            case span
            /// A list of texts.
            case strings
            /// A reference to a secret: `{ file: "…" }`, `{ env: "…" }` or `{ credential: "…" }`.
            case secret
            /// An object with keys of its own.
            case object
            /// One of these words.
            case words([String])

            /// The kind as a manual names it.
            public var description: String {
                switch self {
                case .string: "string"
                case .boolean: "true or false"
                case .number: "number"
                case .size: "size"
                case .span: "span of time"
                case .strings: "list of strings"
                case .secret: "secret"
                case .object: "object"
                case .words(let words): words.map { "`\($0)`" }.joined(separator: ", ")
                }
            }
        }

        /// Makes the description of a key.
        public init(
            _ name: String, _ meaning: String, kind: Kind = .string,
            default defaultValue: String? = nil
        ) {
            self.name = name
            self.kind = kind
            self.meaning = meaning
            self.defaultValue = defaultValue
        }
    }

    /// What it is for, in one sentence.
    public let summary: String
    /// Its settings, beside `use`.
    public let settings: [Setting]
    /// The text of a whole configuration that uses it.
    public let sample: String

    /// Makes a description.
    public init(summary: String, settings: [Setting] = [], sample: String) {
        self.summary = summary
        self.settings = settings
        self.sample = sample
    }
}
