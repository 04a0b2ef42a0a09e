package import GatewayCore
package import HealthModel
import JSON
import Platform

/// Makes sources for devices on ports that the gateway itself has opened, such as pseudo-terminals of
/// simulated devices.
///
/// A device keeps its local identifier, although the path of its port changes. All sources of one
/// object share one queue for opening ports.
package struct SerialReaders: Sendable {
    private let protocols: [SerialProtocolFactory]
    private let executor = QueueExecutor(label: "simulated ports")
    /// The poller of the other ends.
    private let poller = DescriptorPoller()

    /// Makes readers for the built-in protocols.
    package init(protocols: [SerialProtocolFactory]) {
        self.protocols = protocols
    }

    /// A device with its protocol, at any path.
    package struct Reader: Sendable {
        fileprivate let serialProtocol: any SerialProtocol
        fileprivate let setting: ConfigurationNode
        fileprivate let readers: SerialReaders

        /// Makes the source that reads the device at a path.
        package func source(
            of device: Device, at path: String, context: ComponentContext
        ) -> SerialSource {
            let port = SerialPort(selector: .path(path), settings: serialProtocol.lineSettings)
            let executor = readers.executor
            return SerialSource(
                identifier: device.localIdentifier ?? path, serialProtocol: serialProtocol,
                setting: setting.value, context: context, known: device
            ) {
                StreamLink(
                    port, clock: context.clock, executor: executor, poller: context.poller)
            }
        }
    }

    /// Makes the reader for a setting `protocol`.
    ///
    /// - Throws: ``ConfigurationError`` for an unknown protocol or invalid settings.
    package func reader(
        _ setting: ConfigurationNode
    ) throws(ConfigurationError) -> Reader {
        let made = try SerialProtocolFactory.makeProtocol(setting, from: protocols)
        return Reader(serialProtocol: made, setting: setting, readers: self)
    }

    /// Makes a pseudo-terminal for a simulated device.
    package func makeTerminal() throws(SerialError) -> PseudoTerminal {
        try PseudoTerminal(poller: poller)
    }
}
