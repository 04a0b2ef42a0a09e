/// What a plugin tells about itself, for whoever asks the command `plugins`.
public struct PluginDescription: Hashable, Sendable {
    /// A key of the plugin's settings.
    public struct Setting: Hashable, Sendable {
        /// The key: `preset`.
        public let name: String
        /// What it means, in a few words.
        public let meaning: String
        /// What holds when it is left out; nil when it must not be.
        public let defaultValue: String?

        /// Makes the description of a key.
        public init(_ name: String, _ meaning: String, default defaultValue: String? = nil) {
            self.name = name
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
