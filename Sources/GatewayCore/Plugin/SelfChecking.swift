/// A source or sink that can say beforehand what will be in its way, for the command `check`.
///
/// Making a component only reads its settings, and a gateway starts without what may still come. Who
/// asks whether all is right wants to know that a file is missing.
public protocol SelfChecking: Sendable {
    /// Looks at what it will need. It changes nothing and asks nobody over a network.
    ///
    /// - Throws: ``ConfigurationError`` with the key path of the first thing that is wrong.
    func check() throws(ConfigurationError)
}
