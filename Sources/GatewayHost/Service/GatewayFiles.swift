import GatewayCore

/// The configuration and the data directory of a running gateway, which requests read and change.
package struct GatewayFiles: Sendable {
    private let load: @Sendable () throws(HostError) -> ConfigurationFile
    private let folder: DataDirectory
    private let plugins: Plugins
    private let radio: RadioDevices

    /// Creates a value from a function that reads the configuration, and the data directory.
    package init(
        folder: DataDirectory, plugins: Plugins, radio: RadioDevices,
        load: @escaping @Sendable () throws(HostError) -> ConfigurationFile
    ) {
        self.folder = folder
        self.plugins = plugins
        self.radio = radio
        self.load = load
    }

    /// Adopts and forgets devices beside the configuration as it is now.
    func adoption() throws(HostError) -> DeviceAdoption {
        DeviceAdoption(file: try load(), folder: folder, plugins: plugins, radio: radio)
    }

    /// Changes people beside the configuration as it is now.
    func people() throws(HostError) -> PersonEditor {
        PersonEditor(file: try load(), folder: folder)
    }

    /// The devices that are adopted or named by the configuration as it is now.
    func devices() throws(HostError) -> [KnownDevice] {
        try GatewayPlan(showing: load(), folder: folder, plugins: plugins).knownDevices
    }
}
