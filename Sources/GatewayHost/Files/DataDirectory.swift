package import GatewayCore
import Glibc
package import Platform

/// The data directory of a gateway: store, journal, lock and control socket.
package struct DataDirectory: Sendable {
    package let path: String

    /// Returns the path set by the configuration, systemd or the XDG conventions, without creating
    /// it.
    package static func locate(
        configuration: GatewayConfiguration, environment: Environment, isSimulation: Bool
    ) throws(HostError) -> DataDirectory {
        let path =
            configuration.dataDirectory
            // A colon-separated list if the unit sets several directories; the first one is used.
            ?? environment.folder("STATE_DIRECTORY").map { String($0.prefix { $0 != ":" }) }
            ?? environment.folder("XDG_DATA_HOME").map { "\($0)/pulsegate" }
            ?? environment.home.map { "\($0)/.local/share/pulsegate" }
        guard let path else {
            throw HostError(
                .failure, "no data directory: set `dataDirectory` in the configuration, or $HOME")
        }
        return DataDirectory(path: isSimulation ? "\(path)/simulation" : path)
    }

    /// Resolves a path of the configuration; a relative path is inside the directory.
    package func resolve(_ path: String) -> String {
        DataFiles.resolve(path, in: self.path)
    }

    /// Creates the directory and its parents, accessible by this user only.
    package func create() throws(HostError) {
        var partial = ""
        for component in path.split(separator: "/") {
            partial += "/\(component)"
            if mkdir(partial, 0o700) == 0 { continue }
            let code = errno
            var status = stat()
            // For an existing directory, mkdir may also fail with EACCES or EROFS.
            if stat(partial, &status) == 0, status.st_mode & S_IFMT == S_IFDIR { continue }
            // A file that is not a directory, or a broken symbolic link.
            throw Self.unusable(partial, code == EEXIST ? ENOTDIR : code)
        }
        guard access(path, W_OK | X_OK) == 0 else { throw Self.unusable(path, errno) }
    }

    /// Whether the directory has no entries.
    package func isEmpty() throws(HostError) -> Bool {
        guard let listing = opendir(path) else { throw .system("read", path, errno: errno) }
        defer { closedir(listing) }
        var count = 0
        // Every directory has `.` and `..`.
        while count <= 2, readdir(listing) != nil { count += 1 }
        return count <= 2
    }

    /// The error of a data directory that cannot be written.
    package static func unusable(_ path: String, _ code: Int32) -> HostError {
        .system(
            "write to the data directory", path, errno: code,
            remedy:
                "give this user write permission, or set another `dataDirectory` in the configuration"
        )
    }
}

extension DataDirectory {
    /// Uses a directory that the user names, relative to the working directory.
    package init(relativePath path: String) throws(HostError) {
        guard !path.isEmpty, !path.utf8.contains(0) else {
            throw HostError(.usage, "the path of a directory must not be empty")
        }
        guard !path.hasPrefix("/") else {
            self.init(path: path)
            return
        }
        guard let current = getcwd(nil, 0) else {
            throw .system("read", "the working directory", errno: errno)
        }
        defer { free(current) }
        self.init(path: "\(String(cString: current))/\(path)")
    }
}
