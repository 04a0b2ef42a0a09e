/// The version of the contract between the gateway and its plugins.
///
/// A command states the version that its plugins were written for. The contract is what
/// `DeviceAdapter`, `GATTProfile`, `AdvertisementFormat`, `SerialProtocol`, `Source` and `Sink`
/// require and promise. When one of them changes its meaning, a new version takes the place of the old
/// one, whose name then no longer compiles: plugins of another version do not become a command that
/// calculates wrong values.
///
/// Additions do not make a new version. `ContractTests` fails after every change until it has been
/// reviewed. An old version is marked `@available(*, unavailable, message: "…")`; the message says what
/// has changed.
public enum PluginContract: Sendable {
    /// The first version.
    case version1
}
