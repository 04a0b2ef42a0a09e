package import GatewayCore
package import GatewayHost
package import HealthModel
package import Platform
package import SQLiteStore

/// The configuration, the data directory and the store of a command.
package struct CommandFiles: Sendable {
    package let configuration: ConfigurationFile
    package let folder: DataDirectory
    /// Whether the command works on the data of a simulation.
    package let isSimulation: Bool
    /// The kinds of sinks that are built in.
    package let sinkUses: [String]

    /// All quantity types: standard ones, those of plugins and those of the configuration.
    package var types: QuantityTypes { configuration.configuration.types }

    /// Reads the configuration and locates the data directory; creates nothing.
    package init(
        _ arguments: ParsedArguments, _ environment: Environment, _ plugins: Plugins
    ) throws(HostError) {
        isSimulation = arguments.has(CommandSyntax.simulate.name)
        sinkUses = plugins.sinks.map(\.use)
        let types = try plugins.makeQuantityTypes()
        var places = try Self.places(arguments, environment, types)
        if try RestoredFiles(in: places.folder).finishIfInterrupted() {
            // The configuration may be one of the files.
            places = try Self.places(arguments, environment, types)
        }
        (configuration, folder) = places
    }

    private static func places(
        _ arguments: ParsedArguments, _ environment: Environment, _ types: QuantityTypes
    ) throws(HostError) -> (configuration: ConfigurationFile, folder: DataDirectory) {
        let configuration = try ConfigurationFile.load(
            option: arguments.value(of: "--config"), environment: environment, types: types)
        try configuration.checkBirthDates(at: SystemClock().instant())
        let folder = try DataDirectory.locate(
            configuration, environment: environment,
            isSimulation: arguments.has(CommandSyntax.simulate.name))
        return (configuration, folder)
    }

    /// Whether the data is another user's, so that only the gateway of that user has it.
    package var areOfAnotherUser: Bool { folder.isOfAnotherUser }

    /// The people of the configuration and of the data directory.
    package func people() throws(HostError) -> People {
        try checkOwner()
        return try configuration.people(storedIn: folder)
    }

    /// The people, or those of the configuration when the gateway of another user may know others.
    package func knownPeople() throws(HostError) -> People {
        areOfAnotherUser ? configuration.configuration.people : try people()
    }

    /// Throws when only the gateway of another user has the data.
    package func checkOwner() throws(HostError) {
        if areOfAnotherUser { throw folder.othersFiles }
    }

    /// The person whose records a command reads; nil for those of all people in a simulation.
    package func person(
        _ arguments: ParsedArguments, in store: SQLiteStore
    ) async throws(HostError) -> PersonArgument? {
        guard !isSimulation || arguments.has("--person") else { return nil }
        return try await PersonArgument(arguments, try people(), in: store)
    }

    /// Opens the store for reading, with what a running gateway has accepted so far.
    package func openStore() throws(HostError) -> SQLiteStore {
        try checkOwner()
        let file = try checked(StoreFile(self))
        refreshStore()
        return try file.open()
    }

    /// Opens the store for reading; nil without a store among the sinks, or before it was created.
    package func openStoreIfCreated() throws(HostError) -> SQLiteStore? {
        try checkOwner()
        let file = try StoreFile(
            ifIn: configuration, folder, usesConfiguredSinks: !isSimulation, sinkUses: sinkUses)
        guard let file else { return nil }
        refreshStore()
        return try checked(file).openIfCreated()
    }

    /// Opens the store as ``openStore()`` does, for a command that shows what it has: a note says what it lacks.
    package func openStoreToRead() throws(HostError) -> SQLiteStore {
        noteWaitingRecords()
        return try openStore()
    }

    private func checked(_ file: StoreFile) throws(HostError) -> StoreFile {
        try folder.checkBelongs(file.path)
        return file
    }

    /// Opens the store for writing, and creates it and the data directory if missing.
    package func createStore() throws -> SQLiteStore {
        try checkOwner()
        let file = try StoreFile(self)
        try folder.create()
        return try SQLiteStore(path: file.path)
    }
}

extension StoreFile {
    /// Finds the store of the configuration or, for a simulation, that of its folder.
    package init(_ files: CommandFiles) throws(HostError) {
        try self.init(
            files.configuration, files.folder, usesConfiguredSinks: !files.isSimulation,
            sinkUses: files.sinkUses)
    }
}
