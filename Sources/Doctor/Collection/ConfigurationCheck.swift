import GatewayCore
import GatewayHost
import HealthModel
import Platform

/// Reads the configuration, and makes the parts that it names without opening them.
///
/// What is wrong becomes a fact; the rest is checked with what can be read.
struct ConfigurationCheck: Sendable {
    /// What further checks need.
    struct Result: Sendable {
        var plan: GatewayPlan
        var folder: DataDirectory
        var sinks: [Gateway.NamedSink] = []
    }

    let system: DoctorSystem
    let plugins: Plugins
    /// The path that the user names.
    let option: String?

    /// Reads everything.
    ///
    /// - Throws: ``HostError`` only when no data directory can be found.
    func read(into facts: inout ConfigurationFacts) throws(HostError) -> Result {
        let file = try file(&facts)
        let folder = try DataDirectory.locate(
            file, environment: system.environment, isSimulation: false)
        facts.path = file.path
        facts.namesSources = file.configuration.sources != nil
        facts.hasServices = !file.configuration.services.isEmpty
        var result = Result(
            plan: GatewayPlan(simulating: file, folder: folder, plugins: plugins), folder: folder)
        guard !folder.isOfAnotherUser else { return result }
        do throws(HostError) {
            let plan = try GatewayPlan(showing: file, folder: folder, plugins: plugins)
            facts.errors += plan.unknownPeople
            facts.unread = plan.notes
            result.plan = plan
        } catch {
            note(error, &facts)
        }
        makeParts(&result, &facts)
        return result
    }

    private func file(_ facts: inout ConfigurationFacts) throws(HostError) -> ConfigurationFile {
        let types = try plugins.makeQuantityTypes()
        do throws(HostError) {
            let file = try ConfigurationFile.load(
                option: option, environment: system.environment, types: types)
            try file.checkBirthDates(at: system.now())
            return file
        } catch {
            note(error, &facts)
            return ConfigurationFile(path: nil, configuration: GatewayConfiguration(types: types))
        }
    }

    private func makeParts(_ result: inout Result, _ facts: inout ConfigurationFacts) {
        let plan = result.plan
        let assembly = Assembly(
            plugins: plugins, dataDirectory: result.folder, environment: system.environment,
            clock: system.clock, log: Logger(component: "doctor") { _ in }, adopted: plan.devices)
        do throws(HostError) {
            _ = try AccessFile(folder: result.folder, types: .standard).read()
            let sources = try plan.makeSources(assembly)
            facts.sources = sources.map(\.name)
            for source in sources {
                guard let reason = Self.flaw(of: source.source) else { continue }
                facts.flaws.append(
                    ConfigurationFacts.Flaw(
                        name: source.name, kind: .sourceUnusable, reason: reason))
            }
            result.sinks = try plan.makeSinks(assembly, besides: sources)
            _ = try plan.makeServices(assembly)
        } catch {
            note(error, &facts)
        }
    }

    private static func flaw(of part: any Sendable) -> String? {
        do throws(ConfigurationError) {
            try (part as? any SelfChecking)?.check()
            return nil
        } catch {
            return "\(error)"
        }
    }

    private func note(_ error: HostError, _ facts: inout ConfigurationFacts) {
        facts.errors += error.message.split(separator: "\n").map(String.init)
    }
}
