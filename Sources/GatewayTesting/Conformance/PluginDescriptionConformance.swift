public import Advertisements
public import Bluetooth
public import GatewayCore
public import HealthModel
public import Serial

/// Conformance checks for the descriptions of plugins, from which `pulsegate plugins` and the manual
/// are made.
///
/// They return findings, each of which names its plugin.
public enum PluginDescriptionConformance {
    /// Compares the description of every plugin with its factory.
    ///
    /// A factory must have a description. It must describe every key that it accepts, and no other
    /// one, with the words that it takes; its sample must be a valid configuration that uses it.
    /// Settings are read as those of the sample, so that no plugin is opened or started.
    ///
    /// Give all plugins of a command, those of `builtIn` among them: a sample may use each of them,
    /// and the sources `bluetooth`, `advertisements`, `serial` and `rfcomm`.
    ///
    /// - Parameter types: The types of the gateway, with those that the plugins declare.
    public static func findings(
        profiles: [GATTProfileFactory] = [], serialProtocols: [SerialProtocolFactory] = [],
        advertisements: [AdvertisementFormatFactory] = [],
        sources: [SourceFactory] = [], sinks: [SinkFactory] = [],
        services: [ServiceFactory] = [],
        types: QuantityTypes = .standard
    ) -> [ConformanceFinding] {
        let plugins = PluginSet(
            profiles: profiles, serialProtocols: serialProtocols, advertisements: advertisements,
            sources: sources, sinks: sinks, services: services, types: types)
        return plugins.described.flatMap { findings(of: $0, among: plugins) }
    }

    private static func findings(
        of plugin: DescribedPlugin, among plugins: PluginSet
    ) -> [ConformanceFinding] {
        let run = ConformanceRun()
        guard let about = plugin.about else {
            run.find("\(plugin.name) has no description; give its factory `about:`")
            return run.findings
        }
        run.expect(
            about.summary.hasSuffix(".") && !about.summary.contains("\n"),
            "\(plugin.name): its summary is not a sentence")
        let sample = SampleCheck(plugin: plugin, plugins: plugins, run: run)
        let settings = sample.check(about.sample)
        let probe = SettingsProbe(plugin: plugin, types: plugins.types, run: run)
        probe.check(about.settings, of: settings)
        return run.findings
    }
}
