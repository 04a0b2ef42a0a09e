import CSQLite
import Glibc

/// The machine on which the figures were measured.
struct MachineFacts: Encodable {
    let processor: String
    let processors: Int
    let kernel: String
    let sqlite: String
    /// The type of the file system of the data folder.
    let fileSystem: String
    /// The load average of the last minute; above 1 the machine was busy.
    let loadAverage: Double

    init(folder: String) throws {
        let lines = try ProcessFacts.text(of: "/proc/cpuinfo").split(separator: "\n")
        let model = lines.first { $0.hasPrefix("model name") || $0.hasPrefix("Model") }
        processor =
            model?.split(separator: ":").last.map { String($0.drop { $0 == " " }) } ?? "unknown"
        processors = sysconf(Int32(_SC_NPROCESSORS_ONLN))
        kernel = try ProcessFacts.text(of: "/proc/sys/kernel/osrelease").filter { $0 != "\n" }
        sqlite = String(cString: sqlite3_libversion())
        fileSystem = try Self.fileSystem(of: folder)
        var load = 0.0
        loadAverage = getloadavg(&load, 1) == 1 ? load : .nan
    }

    /// The facts as text.
    var text: String {
        """
        \(processor), \(processors) processors; Linux \(kernel); SQLite \(sqlite); data on \
        \(fileSystem); load \(loadAverage)
        """
    }

    /// The file system type of the mount point with the longest path that contains a folder.
    private static func fileSystem(of folder: String) throws -> String {
        guard let resolved = realpath(folder, nil) else {
            throw BenchmarkError("folder \(folder) is missing")
        }
        defer { free(resolved) }
        let path = String(cString: resolved) + "/"
        var kind = "unknown"
        var longest = 0
        for mount in try ProcessFacts.text(of: "/proc/self/mounts").split(separator: "\n") {
            let words = mount.split(separator: " ").map(String.init)
            guard words.count > 2 else { continue }
            let place = words[1] == "/" ? "/" : "\(words[1])/"
            // A later mount on the same mount point hides an earlier one.
            guard path.hasPrefix(place), place.count >= longest else { continue }
            longest = place.count
            kind = words[2]
        }
        return kind
    }
}
