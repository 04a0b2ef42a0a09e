import GatewayCore
package import GatewayHost
package import HealthModel
package import Platform

/// Where a backup is restored: the configuration of this machine decides, or else that of the backup.
package struct RestorePlan {
    /// What becomes of the configuration of the backup.
    package enum ConfigurationOutcome: Equatable, Sendable {
        /// The backup has none.
        case none
        /// It is written there, where there is none.
        case written(String)
        /// The one of this machine has the same text.
        case same(String)
        /// Another one is there, and stays.
        case other(String)
    }

    package let configuration: ConfigurationFile
    package let folder: DataDirectory
    /// The path of the store; nil when the backup has none.
    package let store: String?
    package let outcome: ConfigurationOutcome
    /// Whether the configuration comes from the backup and has a program that a gateway starts.
    let runsPrograms: Bool

    /// Makes the plan; nothing is changed.
    ///
    /// - Parameters:
    ///   - option: The configuration file that the user names.
    ///   - sinkUses: The kinds of sinks that are built in.
    package init(
        _ backup: VerifiedBackup, option: String?, environment: Environment, types: QuantityTypes,
        sinkUses: [String]
    ) throws(HostError) {
        let named = option ?? environment["PULSEGATE_CONFIG"]
        let places = named.map { [$0] } ?? ConfigurationFile.defaultPlaces(environment)
        let text = backup.configuration.map { String(decoding: $0, as: UTF8.self) }
        var isNew = false
        var found: String?
        var existing: String?
        for place in places where existing == nil {
            existing = try TextFile.read(place)
            found = place
        }
        if let existing, let found {
            configuration = try ConfigurationFile.parse(existing, found, types)
            outcome = text.map { $0 == existing ? .same(found) : .other(found) } ?? .none
        } else if let text, let place = places.first {
            configuration = try ConfigurationFile.parse(text, place, types)
            outcome = .written(try Self.absolute(place))
            isNew = true
        } else {
            configuration = ConfigurationFile(
                path: nil, configuration: GatewayConfiguration(types: types))
            outcome = .none
        }
        runsPrograms = isNew && ConfiguredCommands.are(in: text ?? "")
        folder = try DataDirectory.locate(
            configuration, environment: environment, isSimulation: false)
        store =
            backup.hasStore
            ? try StoreFile(
                configuration, folder, usesConfiguredSinks: true, sinkUses: sinkUses
            ).path : nil
        try checkStorePlace()
    }

    /// A store in the place of another file would replace it, or be replaced by it.
    private func checkStorePlace() throws(HostError) {
        guard let store else { return }
        let (path, base) = (Folder.canonical(store), Folder.canonical(folder.path) + "/")
        var isTaken = path + "/" == base
        if path.hasPrefix(base), let name = path.dropFirst(base.count).split(separator: "/").first {
            isTaken = DataFiles.reserved.contains(String(name))
        }
        if case .written(let target) = outcome, Folder.canonical(target) == path { isTaken = true }
        guard isTaken else { return }
        throw HostError(
            .configuration,
            "the configuration has its store at \(store), the place of another file; restore with "
                + "one that has another `path` for the store: --config FILE")
    }

    /// Whether the store is outside of the data directory.
    var isStoreOutside: Bool {
        guard let store else { return false }
        return !Folder.canonical(store).hasPrefix(Folder.canonical(folder.path) + "/")
    }

    private static func absolute(_ path: String) throws(HostError) -> String {
        try DataDirectory(relativePath: path).path
    }
}
