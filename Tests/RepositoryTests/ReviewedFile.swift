import Foundation
import XCTest

/// A file that a test generates, so that a change of it is reviewed.
struct ReviewedFile {
    /// The path from the root.
    let path: String
    /// The environment variable that updates the file when it is 1.
    let variable: String
    /// What to do before the update.
    let advice: String

    /// Compares the file with the text that it should have.
    func assertMatches(_ found: String, filter: String) throws {
        let url = Repository.root.appending(path: path)
        if ProcessInfo.processInfo.environment[variable] == "1" {
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
            try found.write(to: url, atomically: true, encoding: .utf8)
        }
        let reviewed = (try? String(contentsOf: url, encoding: .utf8)) ?? ""
        let difference = lines(found).difference(from: lines(reviewed)).prefix(20).map { change in
            switch change {
            case .insert(_, let line, _): "+ \(line)"
            case .remove(_, let line, _): "- \(line)"
            }
        }
        XCTAssertTrue(
            difference.isEmpty,
            """
            \(path) does not match the sources:
            \(difference.joined(separator: "\n"))
            \(advice), then run `\(variable)=1 swift test --filter \(filter)` to update the file.
            """)
    }

    private func lines(_ text: String) -> [Substring] {
        text.split(separator: "\n", omittingEmptySubsequences: false)
    }
}
