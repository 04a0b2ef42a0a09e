import Foundation
import GatewayTesting
import XCTest

/// Commands of the Swift package manager, run on a package in a temporary home.
struct PackageBuild {
    /// A build takes two minutes on two idle cores; other tests run beside it and go first.
    private static let limitSeconds = 1_800.0

    /// The repository.
    static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().path

    let package: String
    let home: Home
    private let swift: String

    /// - Throws: `XCTSkip` where there is no `swift`.
    init(_ package: String, in home: Home) throws {
        self.package = package
        self.home = home
        swift = try Self.pathOfSwift()
        try Self.writeBuilder("\(swift)/swift", to: home.folder)
    }

    /// A `swift` that builds without information for a debugger and each module at once, which needs two thirds
    /// of the time.
    private static func writeBuilder(_ swift: String, to folder: TemporaryFolder) throws {
        let script = """
            #!/bin/sh
            case $1 in
                build | test | run) action=$1; shift
                    exec '\(swift)' "$action" -debug-info-format none \(Self.wholeModules) "$@" ;;
                *) exec '\(swift)' "$@" ;;
            esac

            """
        let path = try folder.makeFolder("builder") + "/swift"
        try script.write(toFile: path, atomically: true, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
    }

    /// What compiles a module in one process, where the default has one for each core and one for the interface.
    private static let wholeModules = [
        "-whole-module-optimization", "-no-emit-module-separately-wmo", "-num-threads", "2",
        "-disable-batch-mode",
    ].map { "-Xswiftc \($0)" }.joined(separator: " ")

    /// Runs `swift test` or the like in the package's folder.
    func run(_ command: String) async throws -> (ending: RunningCommand.Ending, output: String) {
        try await runScript("exec \(command)")
    }

    /// Runs lines of a shell in the package's folder, up to the first that fails.
    func runScript(
        _ script: String
    ) async throws -> (ending: RunningCommand.Ending, output: String) {
        let build = try RunningCommand(
            ["/usr/bin/nice", "-n", "19", "/bin/sh", "-ec", "cd '\(package)'\n\(script)"],
            in: home.folder, environment: environment, output: .pipe)
        let ending = try await build.waitForEnd(within: Self.limitSeconds)
        return (ending, await build.text(of: .output) + build.text(of: .error))
    }

    /// What a build needs and nothing more: what the tests were started with would confuse it.
    ///
    /// The user's own home is among it, for some toolchains are found by a file there.
    private var environment: [String: String] {
        let own = ProcessInfo.processInfo.environment
        var environment = own.filter { $0.key.hasPrefix("SWIFTLY_") }
        environment["HOME"] = own["HOME"] ?? home.folder.path
        environment["PATH"] = "\(home.folder.path("builder")):\(swift):/usr/bin:/bin"
        return environment
    }

    /// The folder of the `swift` that these tests were started with.
    private static func pathOfSwift() throws -> String {
        let folders = ProcessInfo.processInfo.environment["PATH"]?.split(separator: ":") ?? []
        let found = folders.first { FileManager.default.isExecutableFile(atPath: "\($0)/swift") }
        guard let found else {
            throw XCTSkip("swift is not in PATH; add the folder of the toolchain to it")
        }
        return String(found)
    }
}
