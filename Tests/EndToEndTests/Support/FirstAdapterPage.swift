import Foundation

/// The code blocks of FirstAdapter.md, in order.
struct FirstAdapterPage {
    /// Writes the plugin.
    let writing: String
    /// Tests it and shows its description.
    let testing: String
    /// Starts the device that is not there.
    let device: String
    let configuration: String
    /// Checks the configuration, runs the gateway, and prints the samples.
    let running: String
    /// What the tests print when the adapter does not reset.
    let finding: String

    init(page: String) throws {
        let parts = page.components(separatedBy: "```")
        // Every second part is a block, which begins with its language.
        let blocks = stride(from: 1, to: parts.count, by: 2).map { index in
            parts[index].split(separator: "\n", maxSplits: 1).map(String.init)
        }
        let languages = blocks.map { $0.first ?? "" }
        guard languages == ["sh", "sh", "sh", "json5", "sh", "text"] else {
            throw DeviceExample.Missing(description: "the blocks are \(languages)")
        }
        let texts = blocks.map { $0.last ?? "" }
        (writing, testing, device) = (texts[0], texts[1], texts[2])
        (configuration, running) = (texts[3], texts[4])
        finding = texts[5].trimmingCharacters(in: .whitespacesAndNewlines)
    }
}
