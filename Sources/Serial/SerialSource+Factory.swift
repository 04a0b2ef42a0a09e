public import GatewayCore
import Readiness

extension SerialSource {
    /// Makes the factory of `serial` sources for the protocols that are built in.
    ///
    /// The settings are `{ use: "serial", port: { path: "/dev/ttyUSB0" }, protocol: … }`. All sources
    /// of one factory read their ports on one queue.
    public static func factory(protocols: [SerialProtocolFactory]) -> SourceFactory {
        let executor = QueueExecutor(label: "serial ports")
        let poller = DescriptorPoller()
        return SourceFactory(use: "serial", about: about) {
            node, context throws(ConfigurationError) in
            let settings = try node.object(keys: ["use", "port", "protocol"])
            let path = try portPath(settings.require("port"))
            let spoken = try SerialProtocolFactory.makeProtocol(
                settings.require("protocol"), from: protocols)
            return SerialSource(path: path, serialProtocol: spoken, context: context) {
                SerialPort(
                    path: path, settings: spoken.lineSettings, clock: context.clock,
                    executor: executor, poller: poller)
            }
        }
    }

    private static func portPath(_ node: ConfigurationNode) throws(ConfigurationError) -> String {
        let path = try node.object(keys: ["path"]).require("path")
        let text = try path.string()
        guard text.hasPrefix("/"), !text.utf8.contains(0) else {
            throw path.error("must be an absolute path, such as /dev/ttyUSB0")
        }
        return text
    }
}
