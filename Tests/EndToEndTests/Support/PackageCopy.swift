import Foundation
import GatewayTesting
import XCTest

/// A copy of this package for changes, without what was built.
///
/// It has no tests but those of new plugins, because those of the package take as long to build again as all
/// the rest.
struct PackageCopy {
    let path: String

    /// Copies what a build needs into a folder.
    init(in folder: TemporaryFolder) throws {
        path = try folder.makeFolder("package")
        try folder.makeFolder("package/Tests")
        for name in [
            "Package.swift", "Sources", "plugins", "Tests/WrongPlugins", "README.md",
            ".swift-format",
        ] {
            try FileManager.default.copyItem(
                atPath: "\(PackageBuild.root)/\(name)", toPath: "\(path)/\(name)")
        }
    }

    /// Changes a file.
    func edit(_ name: String, _ change: (String) throws -> String) throws {
        let text = try String(contentsOfFile: "\(path)/\(name)", encoding: .utf8)
        try change(text).write(toFile: "\(path)/\(name)", atomically: true, encoding: .utf8)
    }

    /// Writes a new file with its folders.
    func write(_ text: String, to name: String) throws {
        let file = "\(path)/\(name)"
        try FileManager.default.createDirectory(
            atPath: (file as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
        try text.write(toFile: file, atomically: true, encoding: .utf8)
    }

    /// Leaves all tests out but those of these plugins.
    func keepTests(of plugins: [String]) throws {
        let names = plugins.map { "\"\($0)Tests\"" }.joined(separator: ", ")
        try edit("Package.swift") {
            try $0.adding(
                ".filter { $0.type != .test || [\(names)].contains($0.name) }",
                behind: "\n    targets: targets")
        }
    }
}

extension String {
    /// The text with more of it behind a place that must be there once.
    func adding(_ more: String, behind place: String) throws -> String {
        let parts = components(separatedBy: place)
        guard parts.count == 2 else {
            throw DeviceExample.Missing(description: "`\(place)` is there \(parts.count - 1) times")
        }
        return parts[0] + place + more + parts[1]
    }
}
