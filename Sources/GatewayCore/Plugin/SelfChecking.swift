/// A source or sink that can check its environment, for the command `check`.
///
/// Creating a component only validates its settings, because a gateway also starts when a device or
/// file is not there yet. `check` reports such problems.
public protocol SelfChecking: Sendable {
    /// Checks what the component needs, without changes and without network access.
    ///
    /// - Throws: ``ConfigurationError`` with the key path of the first problem.
    func check() throws(ConfigurationError)
}
