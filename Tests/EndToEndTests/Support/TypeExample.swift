import Foundation

/// The plugin with a type of its own of AddADevice.md, taken out of its text word by word.
struct TypeExample {
    /// Where the plugin belongs.
    static let folder = "plugins/Wristband"
    /// The line for the table in Package.swift.
    static let tableLine = #"("Wristband", ["Bluetooth"]),"#

    /// The profile.
    let profile: String
    /// Its tests.
    let tests: String
    /// The arguments of `Plugins(…)`: the profile and the type.
    let profileEntry: String
    let typeEntry: String

    /// Reads the text of the page.
    init(page: String) throws {
        guard let start = page.range(of: "\n## Add a type\n") else {
            throw DeviceExample.Missing(description: "no section about types")
        }
        let blocks = page[start.upperBound...].components(separatedBy: "```swift\n").dropFirst()
            .compactMap { $0.components(separatedBy: "```").first }
        guard blocks.count >= 3, blocks[2].contains("@testable import Wristband") else {
            throw DeviceExample.Missing(description: "the blocks are \(blocks)")
        }
        (profile, tests) = (blocks[0], blocks[2])
        (profileEntry, typeEntry) = (
            try Self.element(of: "profiles", in: blocks[1]),
            try Self.element(of: "types", in: blocks[1])
        )
    }

    /// The one element of a list in a text.
    private static func element(of list: String, in text: String) throws -> String {
        let parts = text.components(separatedBy: "\(list): [")
        guard parts.count == 2, let element = parts[1].components(separatedBy: "]").first else {
            throw DeviceExample.Missing(description: "no list `\(list)` in \(text)")
        }
        return element
    }
}
