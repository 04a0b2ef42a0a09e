import GatewayCore
import JSON

/// The check of a plugin's sample configuration.
struct SampleCheck {
    let plugin: DescribedPlugin
    let plugins: PluginSet
    let run: ConformanceRun

    /// Checks the sample, and returns the settings that it gives the plugin.
    func check(_ sample: String) -> [String: JSONValue] {
        let name = plugin.name
        let settings = JSONValue.object(["use": .string(plugin.use)])
        guard !sample.isEmpty else {
            run.find("\(name) has no sample configuration")
            return settings.members
        }
        do throws(ConfigurationError) {
            let root = try ConfigurationNode(json5: sample, types: plugins.types)
            let configuration = try GatewayConfiguration(root)
            for component in configuration.sources ?? [] { try makeSource(component) }
            for component in configuration.sinks ?? [] { try makeSink(component) }
            for component in configuration.services { try makeService(component) }
            let own = plugin.kind.settings(in: root.value).first { $0["use"] == plugin.use.json }
            // A source that names no profiles or formats has them all.
            run.expect(
                own != nil || [.profile, .advertisementFormat].contains(plugin.kind),
                "the sample of \(name) does not use it")
            return own ?? settings.members
        } catch {
            run.find("the sample of \(name) is not valid: \(error)")
            return settings.members
        }
    }

    private func makeSource(
        _ component: GatewayConfiguration.Component
    ) throws(ConfigurationError) {
        let factories = plugins.sources + plugins.standardSources
        guard let factory = factories.first(where: { $0.use == component.use }) else {
            return run.find(unknown(component, factories.map(\.use)))
        }
        try plugins.make(factory, component.settings.knowing(plugins.types))
    }

    private func makeSink(
        _ component: GatewayConfiguration.Component
    ) throws(ConfigurationError) {
        guard let factory = plugins.sinks.first(where: { $0.use == component.use }) else {
            return run.find(unknown(component, plugins.sinks.map(\.use)))
        }
        try plugins.make(factory, component.settings.knowing(plugins.types))
    }

    private func makeService(
        _ component: GatewayConfiguration.Component
    ) throws(ConfigurationError) {
        guard let factory = plugins.services.first(where: { $0.use == component.use }) else {
            return run.find(unknown(component, plugins.services.map(\.use)))
        }
        try plugins.make(factory, component.settings.knowing(plugins.types))
    }

    private func unknown(
        _ component: GatewayConfiguration.Component, _ known: [String]
    ) -> String {
        let section = component.settings.path.prefix { $0 != "." }
        let problem =
            "the sample of \(plugin.name) uses `\(component.use)`, which is not among the "
            + "\(section) of the check"
        guard known.isEmpty else {
            return "\(problem); \(Suggestion.message(unknown: component.use, known: known))"
        }
        return "\(problem); call it with `\(section):`, such as those of `builtIn`"
    }
}

extension DescribedPlugin.Kind {
    /// The settings of all plugins of this kind in a configuration; a name stands for its object.
    fileprivate func settings(in root: JSONValue) -> [[String: JSONValue]] {
        let sources = root.members["sources"]?.members.values.map { $0 } ?? []
        let found: [JSONValue] =
            switch self {
            case .source: sources
            case .sink: root.members["sinks"]?.members.values.map { $0 } ?? []
            case .service: root.members["services"]?.members.values.map { $0 } ?? []
            case .serialProtocol: sources.compactMap { $0.members["protocol"] }
            case .profile: sources.flatMap { $0.members["profiles"]?.elements ?? [] }
            case .advertisementFormat: sources.flatMap { $0.members["formats"]?.elements ?? [] }
            }
        return found.map { value in
            if case .string(let use) = value { ["use": use.json] } else { value.members }
        }
    }
}

extension JSONValue {
    /// The members of an object; none of any other value.
    var members: [String: JSONValue] {
        if case .object(let members) = self { members } else { [:] }
    }

    /// The elements of a list; none of any other value.
    var elements: [JSONValue] {
        if case .array(let elements) = self { elements } else { [] }
    }
}

extension String {
    fileprivate var json: JSONValue { .string(self) }
}
