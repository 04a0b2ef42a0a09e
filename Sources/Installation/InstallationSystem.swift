import Glibc
import HostFiles
import Platform

/// The machine on which a service is installed; tests have one in a folder.
package struct InstallationSystem: Sendable {
    /// A folder in place of `/`; empty for the machine itself.
    let root: String
    let userID: UInt32
    /// Whether systemd runs as the system's service manager.
    let hasSystemd: Bool
    /// Runs a program and returns its exit status.
    let run: @Sendable ([String]) throws(HostError) -> Int32

    /// Makes a machine.
    init(
        root: String, userID: UInt32, hasSystemd: Bool,
        run: @escaping @Sendable ([String]) throws(HostError) -> Int32
    ) {
        self.root = root
        self.userID = userID
        self.hasSystemd = hasSystemd
        self.run = run
    }

    /// The machine that runs this process.
    package static var this: InstallationSystem {
        // sd_booted(3)
        let hasSystemd = access("/run/systemd/system", F_OK) == 0
        return InstallationSystem(
            root: "", userID: geteuid(), hasSystemd: hasSystemd, run: Self.runProgram)
    }

    @Sendable private static func runProgram(_ words: [String]) throws(HostError) -> Int32 {
        let process: pid_t
        do throws(ChildProcessError) {
            process = try ChildProcess.spawn(words, streams: (-1, -1, -1))
        } catch {
            throw HostError(.failure, "cannot run `\(words.joined(separator: " "))`: \(error)")
        }
        var status: Int32 = 0
        _ = SystemCall.repeatWhileInterrupted { Int(waitpid(process, &status, 0)) }
        let signal = status & 0x7F
        return signal == 0 ? status >> 8 & 0xFF : 128 + signal
    }

    /// The place of a path on this machine.
    func place(_ path: String) -> String { root + path }

    func exists(_ path: String) -> Bool { Folder.exists(place(path)) }

    /// The text of a file; nil when it does not exist.
    func text(of path: String) throws(HostError) -> String? { try Folder.text(of: place(path)) }

    /// Whether one of the usual folders has a program.
    package func hasProgram(_ name: String) -> Bool {
        ["/usr/bin", "/bin", "/usr/sbin", "/sbin"].contains { exists("\($0)/\(name)") }
    }

    /// Writes a file, and the folders that it needs.
    func write(_ file: InstallationFile) throws(HostError) {
        let path = place(file.path)
        let folder = TextFile.folder(of: path)
        try Folder.make(folder, in: "")
        let draft = "\(path).new"
        let text = file.content
        try TextFile.replace(path, draft: draft, with: text)
        guard chmod(path, file.mode) == 0 else { throw .system("change", path, errno: errno) }
    }

    func remove(_ path: String) throws(HostError) {
        guard unlink(place(path)) == 0 || errno == ENOENT else {
            throw .system("remove", place(path), errno: errno)
        }
    }
}
