import Foundation

/// The example of AddADevice.md, taken out of its text word by word.
struct DeviceExample {
    /// A file that is shown whole.
    struct File {
        /// Where it belongs, in the plugin's folder.
        let path: String
        let text: String
    }

    /// The page has changed so that the example is not found in it any more.
    struct Missing: Error, CustomStringConvertible {
        let description: String
    }

    /// The entry of the table of presets.
    let preset: String
    /// The plugin's folder.
    let folder: String
    let files: [File]
    /// The line for the table in Package.swift.
    let tableLine: String
    /// The line for the imports of BuiltIn.swift.
    let importLine: String
    /// The entry among the protocols of BuiltIn.swift.
    let entry: String
    /// The command that tests it.
    let testCommand: String
    /// What stands in the configuration then.
    let setting: String

    /// Reads the text of the page.
    init(page: String) throws {
        preset = try Self.first(#"```swift\n(LinePreset\(\n[\s\S]*?)```"#, in: page)
        folder = try Self.first(#"folder,\s+`(plugins/\w+)`"#, in: page)
        files = try Self.matches(
            #"`((?:Sources|Tests)/\w+\.swift)`:\n\n```swift\n([\s\S]*?)```"#, in: page
        ).map { File(path: $0[0], text: $0[1]) }
        // What is code and no link, in order.
        let lines = try Self.first(#"\n(Three lines make it known: [\s\S]*?)\n\n"#, in: page)
        let codes = try Self.matches(#"(\[?)`([^`]+)`"#, in: lines)
            .filter { $0[0].isEmpty }.map { $0[1] }
        guard files.count == 2, codes.count == 5, codes[3].hasPrefix("swift ") else {
            throw Missing(description: "not 2 files and 5 pieces of code: \(files) \(codes)")
        }
        (tableLine, importLine, entry) = (codes[0], codes[1], codes[2])
        testCommand = codes[3]
        setting = codes[4]
    }

    private static func first(_ pattern: String, in text: String) throws -> String {
        guard let match = try matches(pattern, in: text).first?.first else {
            throw Missing(description: "nothing is like \(pattern)")
        }
        return match
    }

    /// The groups of every match.
    private static func matches(_ pattern: String, in text: String) throws -> [[String]] {
        let expression = try NSRegularExpression(pattern: pattern)
        let whole = NSRange(text.startIndex..., in: text)
        return expression.matches(in: text, range: whole).map { match in
            (1..<match.numberOfRanges).compactMap { index in
                Range(match.range(at: index), in: text).map { String(text[$0]) }
            }
        }
    }
}
