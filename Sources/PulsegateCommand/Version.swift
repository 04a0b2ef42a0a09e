/// The version of the program.
enum Version {
    /// Semantic version of this build.
    static let current = "0.1.0"
}
