/// A violation of the contract of a plugin, found by a conformance suite.
public struct ConformanceFinding: Hashable, Sendable, CustomStringConvertible {
    /// The violation as a sentence, with what is needed to reproduce it.
    ///
    /// It contains no measured value.
    public let description: String

    /// Makes a finding from a sentence.
    public init(_ description: String) {
        self.description = description
    }
}
