/// The description of a plugin for the command `plugins`.
public struct PluginDescription: Hashable, Sendable {
    /// A key of the plugin's settings.
    public struct Setting: Hashable, Sendable {
        /// The key: `preset`.
        public let name: String
        /// The kind of its value: `size`, `list of strings`.
        public let kind: Kind
        /// A short description.
        public let meaning: String
        /// The default; nil if the key is required.
        public let defaultValue: String?
        /// The keys of its value, an object or a list of objects; empty if it has no fixed keys.
        public let keys: [Setting]

        /// Kinds of values.
        public enum Kind: Hashable, Sendable, CustomStringConvertible {
            /// A string.
            case string
            /// `true` or `false`.
            case boolean
            /// A number, whose unit is in the description.
            case number
            /// A number with a unit of bytes: `"64 MiB"`.
            case size
            /// A duration: `"90s"`, `"15m"`, `"24h"`, `"7d"`, `"2w"`.
            case span
            /// A list of strings.
            case strings
            /// A reference to a secret: `{ secret: "…" }`, `{ file: "…" }`, `{ env: "…" }` or `{ credential: "…" }`.
            case secret
            /// An object whose values are references to secrets.
            case secrets
            /// A list of numbers.
            case numbers
            /// An object.
            case object
            /// A list of objects.
            case objects
            /// One of these words.
            case words([String])

            /// The name of the kind in the manual.
            public var description: String {
                switch self {
                case .string: "string"
                case .boolean: "true or false"
                case .number: "number"
                case .size: "size"
                case .span: "duration"
                case .strings: "list of strings"
                case .secret: "secret"
                case .secrets: "object of secrets"
                case .numbers: "list of numbers"
                case .object: "object"
                case .objects: "list of objects"
                case .words(let words): words.map { "`\($0)`" }.joined(separator: ", ")
                }
            }
        }

        /// Makes the description of a key.
        public init(
            _ name: String, _ meaning: String, kind: Kind = .string,
            default defaultValue: String? = nil, keys: [Setting] = []
        ) {
            self.name = name
            self.kind = kind
            self.meaning = meaning
            self.defaultValue = defaultValue
            self.keys = keys
        }
    }

    /// The purpose, in one sentence.
    public let summary: String
    /// Its settings, in addition to `use`.
    public let settings: [Setting]
    /// A complete sample configuration.
    public let sample: String
    /// The module of the file that makes the description; the types that it declares are shown with it.
    package let module: String

    /// Makes a description.
    ///
    /// - Parameter file: The file that makes it.
    public init(
        summary: String, settings: [Setting] = [], sample: String, file: String = #fileID
    ) {
        module = String(file.prefix { $0 != "/" })
        self.summary = summary
        self.settings = settings
        self.sample = sample
    }
}
