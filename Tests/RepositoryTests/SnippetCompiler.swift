import Foundation
import XCTest

/// The Swift compiler, applied to a piece of source that imports the built modules.
enum SnippetCompiler {
    /// Compiles a snippet; the errors of the compiler, empty when there are none.
    static func errors(in text: String) throws -> String {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("pulsegate-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("snippet.swift")
        try text.write(to: file, atomically: true, encoding: .utf8)
        let compiler = Process()
        compiler.executableURL = URL(fileURLWithPath: try path())
        compiler.arguments =
            [
                "-c", "-parse-as-library", "-swift-version", "6", "-package-name", "snippet",
                "-enable-upcoming-feature", "MemberImportVisibility", "-o",
                folder.appendingPathComponent("snippet.o").path, "-module-cache-path",
                folder.path,
            ] + (try moduleArguments()) + [file.path]
        let output = Pipe()
        compiler.standardError = output
        compiler.standardOutput = output
        try compiler.run()
        let bytes = output.fileHandleForReading.readDataToEndOfFile()
        compiler.waitUntilExit()
        if compiler.terminationStatus == 0 { return "" }
        let text = String(decoding: bytes, as: UTF8.self)
        return text.isEmpty ? "status \(compiler.terminationStatus)" : text
    }

    private static func path() throws -> String {
        let folders = ProcessInfo.processInfo.environment["PATH"]?.split(separator: ":") ?? []
        let found = folders.map { "\($0)/swiftc" }
            .first { FileManager.default.isExecutableFile(atPath: $0) }
        guard let found else {
            throw XCTSkip("swiftc is not in PATH; add the folder of the toolchain to it")
        }
        return found
    }

    /// The built modules and the C modules that they import.
    private static func moduleArguments() throws -> [String] {
        let bundle = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let build = URL(fileURLWithPath: bundle).deletingLastPathComponent()
        let modules = build.appendingPathComponent("Modules").path
        guard FileManager.default.fileExists(atPath: "\(modules)/HealthModel.swiftmodule") else {
            throw XCTSkip("no modules in \(modules); build with `swift build --build-tests`")
        }
        var arguments = ["-I", modules]
        for library in try Repository.folders(in: "Sources/CLibraries") {
            let source = Repository.root.appending(path: "Sources/CLibraries/\(library)").path
            let generated = build.appendingPathComponent("\(library).build/module.modulemap").path
            if FileManager.default.fileExists(atPath: "\(source)/module.modulemap") {
                arguments += ["-I", source]
            } else if FileManager.default.fileExists(atPath: generated) {
                arguments += ["-Xcc", "-fmodule-map-file=\(generated)"]
            }
        }
        return arguments
    }
}
