package import GatewayHost

extension GatewayPlan {
    /// Creates the plan from a command's files: configuration and data directory, or a simulation.
    ///
    /// - Parameter service: The `use` of a service that it has in any case, the only one of a simulation; as
    ///   configured, or with its defaults. Nil for none.
    package init(
        _ files: CommandFiles, _ plugins: Plugins, adding service: String? = nil
    ) throws(HostError) {
        let (file, folder) = (files.configuration.addingService(service), files.folder)
        if files.isSimulation {
            let kept = file.keepingServices(of: service)
            self.init(simulating: kept, folder: folder, plugins: plugins)
        } else {
            try self.init(file: file, folder: folder, plugins: plugins)
        }
    }
}
