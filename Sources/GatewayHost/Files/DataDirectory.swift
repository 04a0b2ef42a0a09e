package import GatewayCore
import Glibc
package import Platform

/// The folder that holds the store, the journal and the lock of one gateway.
package struct DataDirectory: Sendable {
    package let path: String

    /// Where the configuration, systemd or the XDG conventions put it; nothing is created.
    package static func locate(
        configuration: GatewayConfiguration, environment: Environment, isSimulation: Bool
    ) throws(HostError) -> DataDirectory {
        let path =
            configuration.dataDirectory
            // systemd gives a list when the unit names several folders; ours is the first.
            ?? environment.folder("STATE_DIRECTORY").map { String($0.prefix { $0 != ":" }) }
            ?? environment.folder("XDG_DATA_HOME").map { "\($0)/pulsegate" }
            ?? environment.home.map { "\($0)/.local/share/pulsegate" }
        guard let path else {
            throw HostError(
                .failure, "no data directory: set `dataDirectory` in the configuration, or $HOME")
        }
        return DataDirectory(path: isSimulation ? "\(path)/simulation" : path)
    }

    /// A path of the configuration: as it is when absolute, else inside the folder.
    package func resolve(_ path: String) -> String {
        DataFiles.resolve(path, in: self.path)
    }

    /// Makes the folder and those above it, for this user only.
    package func create() throws(HostError) {
        var partial = ""
        for component in path.split(separator: "/") {
            partial += "/\(component)"
            if mkdir(partial, 0o700) == 0 { continue }
            let code = errno
            var status = stat()
            // An existing folder may also be answered with EACCES or EROFS.
            if stat(partial, &status) == 0, status.st_mode & S_IFMT == S_IFDIR { continue }
            // Something that is no folder, or a link that leads nowhere.
            throw Self.unusable(partial, code == EEXIST ? ENOTDIR : code)
        }
        guard access(path, W_OK | X_OK) == 0 else { throw Self.unusable(path, errno) }
    }

    package static func unusable(_ path: String, _ code: Int32) -> HostError {
        .system(
            "write to the data directory", path, errno: code,
            remedy:
                "give this user the right to write there, or name another folder with `dataDirectory` "
                + "in the configuration")
    }
}
