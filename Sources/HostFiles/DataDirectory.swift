import GatewayCore
import Glibc
package import Platform

/// The data directory of a gateway: store, journal, lock and control socket.
package struct DataDirectory: Sendable {
    package let path: String
    /// How to use another directory, depending on what sets the path.
    private let alternative: String
    /// The directory of the control socket under systemd; nil for the data directory itself.
    package private(set) var runtimeFolder: String?
    /// The folder of the stored secrets: a simulation uses those of the data directory that it is in.
    package private(set) var secretsFolder: String

    /// Creates a directory with this path, which nothing sets.
    package init(path: String) {
        self.init(path: path, alternative: "or set another `dataDirectory` in the configuration")
    }

    private init(path: String, alternative: String) {
        self.path = path
        self.alternative = alternative
        secretsFolder = DataFiles.resolve(DataFiles.secrets, in: path)
    }

    /// Returns the path set by the configuration, systemd or the XDG conventions, without creating
    /// it.
    package static func locate(
        _ file: ConfigurationFile, environment: Environment, isSimulation: Bool
    ) throws(HostError) -> DataDirectory {
        guard var found = found(file, environment) else {
            throw HostError(
                .failure, "no data directory: set `dataDirectory` in the configuration, or $HOME")
        }
        guard !isSimulation else {
            // Everybody can simulate, also where the configuration is that of a service.
            if found.isOfAnotherUser || geteuid() == 0 && found.owner != nil,
                let own = usual(environment, alternative: found.alternative)
            {
                found = own
            }
            var simulation = DataDirectory(
                path: "\(found.path)/simulation", alternative: found.alternative)
            simulation.secretsFolder = found.secretsFolder
            return simulation
        }
        var folder = found
        // A colon-separated list if the unit sets several directories; the first one is used.
        folder.runtimeFolder = environment.folder("RUNTIME_DIRECTORY").map {
            String($0.prefix { $0 != ":" })
        }
        return folder
    }

    private static func found(
        _ file: ConfigurationFile, _ environment: Environment
    ) -> DataDirectory? {
        if let path = file.configuration.dataDirectory {
            return DataDirectory(
                path: path, alternative: "or change `dataDirectory` in \(file.place)")
        }
        let key = "or set another `dataDirectory` in the configuration"
        if let list = environment.folder("STATE_DIRECTORY") {
            // A colon-separated list if the unit sets several directories; the first one is used.
            return DataDirectory(
                path: String(list.prefix { $0 != ":" }),
                alternative: "change $STATE_DIRECTORY, \(key)")
        }
        let isSet = environment.folder("XDG_DATA_HOME") != nil
        return usual(environment, alternative: isSet ? "change $XDG_DATA_HOME, \(key)" : key)
    }

    /// The directory of the user, by the XDG conventions.
    private static func usual(
        _ environment: Environment, alternative: String
    ) -> DataDirectory? {
        let data =
            environment.folder("XDG_DATA_HOME") ?? environment.home.map { "\($0)/.local/share" }
        return data.map { DataDirectory(path: "\($0)/pulsegate", alternative: alternative) }
    }

    /// Resolves a path of the configuration; a relative path is inside the directory.
    package func resolve(_ path: String) -> String {
        DataFiles.resolve(path, in: self.path)
    }

    /// Creates the directory and its parents, accessible by this user only.
    ///
    /// In the directory of another user, root continues as that user.
    package func create() throws(HostError) {
        try becomeOwner()
        var partial = ""
        for component in path.split(separator: "/") {
            partial += "/\(component)"
            if mkdir(partial, 0o700) == 0 {
                SystemCall.syncDirectory(of: partial)
                continue
            }
            let code = errno
            var status = stat()
            // For an existing directory, mkdir may also fail with EACCES or EROFS.
            if stat(partial, &status) == 0, status.st_mode & S_IFMT == S_IFDIR { continue }
            // A file that is not a directory, or a broken symbolic link.
            throw unusable(code == EEXIST ? ENOTDIR : code, at: partial)
        }
        guard access(path, W_OK | X_OK) == 0 else { throw unusable(errno) }
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

    /// Checks that a gateway of this user can create the directory or write to it, without creating
    /// anything; for root, one of the user of the directory.
    package func checkAccess() throws(HostError) {
        try becomeOwner()
        try checkDirectory()
        try DataDirectoryLock.checkFile(in: self)
    }

    /// Checks the same of the directory alone, without the lock in it.
    package func checkDirectory() throws(HostError) {
        var place = path
        var status = stat()
        while stat(place, &status) != 0 {
            let code = errno
            // A broken symbolic link exists, but is not a directory.
            guard code == ENOENT || code == ENOTDIR, lstat(place, &status) != 0 else {
                throw unusable(code == ENOENT ? ENOTDIR : code, at: place)
            }
            place = TextFile.folder(of: place)
        }
        guard status.st_mode & S_IFMT == S_IFDIR else { throw unusable(ENOTDIR, at: place) }
        guard access(place, W_OK | X_OK) == 0 else { throw unusable(errno, at: place) }
    }

    /// The error of a data directory that cannot be written, or not created in another one.
    package func unusable(_ code: Int32, at place: String? = nil) -> HostError {
        if isOfAnotherUser, let owner {
            return HostError(
                .failure,
                "the data directory \(path) belongs to \(owner.name); \(owner.remedy)")
        }
        return .system(
            "write to the data directory", place ?? path, errno: code,
            remedy: "give this user write permission, \(alternative)")
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
