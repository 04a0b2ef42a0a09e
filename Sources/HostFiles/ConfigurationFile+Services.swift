import GatewayCore

/// The services of a run that differ from those of the file.
extension ConfigurationFile {
    /// The configuration with a service of a kind, unless it has one already.
    ///
    /// - Parameter use: The kind; the service has this name and no settings.
    package func addingService(_ use: String?) -> ConfigurationFile {
        guard let use, !configuration.services.contains(where: { $0.use == use }) else {
            return self
        }
        var changed = configuration
        let isTaken = changed.services.contains { $0.name == use }
        changed.services.append(
            GatewayConfiguration.Component(
                name: isTaken ? "\(use)-server" : use, use: use, section: "services"))
        return ConfigurationFile(path: path, configuration: changed)
    }

    /// The configuration with services of one kind only; nil for none.
    package func keepingServices(of use: String?) -> ConfigurationFile {
        var changed = configuration
        changed.services.removeAll { $0.use != use }
        return ConfigurationFile(path: path, configuration: changed)
    }
}
