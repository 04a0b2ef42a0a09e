import Foundation
import GatewayTesting
import XCTest

/// A copy of this package for changes, without what was built.
///
/// It has no tests but those of new plugins, because those of the package take as long to build again as all
/// the rest, and none of the commands that only measure and test it.
///
/// Its folder has the name that packages outside expect beside them.
struct PackageCopy {
    private static let items = [
        "Package.swift", "Sources", "plugins", "README.md", ".swift-format",
    ]

    let path: String

    /// Copies what a build needs into a folder.
    init(in folder: TemporaryFolder) throws {
        path = try folder.makeFolder("pulsegate")
        for name in Self.items {
            try FileManager.default.copyItem(
                atPath: "\(PackageBuild.root)/\(name)", toPath: "\(path)/\(name)")
        }
    }

    /// Undoes all changes; what did not change is not built again.
    func restore() throws {
        let files = FileManager.default
        for item in Self.items {
            let parts = (try? files.subpathsOfDirectory(atPath: "\(path)/\(item)")) ?? []
            for name in [item] + parts.map({ "\(item)/\($0)" }) {
                let (copy, original) = ("\(path)/\(name)", "\(PackageBuild.root)/\(name)")
                var isFolder: ObjCBool = false
                if !files.fileExists(atPath: original, isDirectory: &isFolder) {
                    // Perhaps it has gone with its folder.
                    try? files.removeItem(atPath: copy)
                } else if !isFolder.boolValue, !files.contentsEqual(atPath: original, andPath: copy)
                {
                    try files.removeItem(atPath: copy)
                    try files.copyItem(atPath: original, toPath: copy)
                }
            }
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

    /// Leaves all tests out but those of these plugins, and `pulsegate-benchmarks` and the like.
    func keepTests(of plugins: [String]) throws {
        let names = plugins.map { "\"\($0)Tests\"" }.joined(separator: ", ")
        try edit("Package.swift") {
            try $0.adding(
                ".filter { !$0.name.hasPrefix(\"pulsegate-\") }"
                    + ".filter { $0.type != .test || [\(names)].contains($0.name) }",
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
