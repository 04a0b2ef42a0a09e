import Foundation
import PulsegateBuiltIn
import XCTest

@testable import GatewayHost
@testable import PulsegateCommand

/// The manual pages that are generated from tables in the code.
final class ManualPageTests: XCTestCase {
    private static let folder = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Sources/pulsegate/Manual")

    /// `PULSEGATE_UPDATE_MANUAL=1` regenerates the page.
    private func assertPage(_ name: String, is text: String, line: UInt = #line) throws {
        let file = Self.folder.appending(path: name)
        if ProcessInfo.processInfo.environment["PULSEGATE_UPDATE_MANUAL"] == "1" {
            try text.write(to: file, atomically: true, encoding: .utf8)
        }
        let page = try String(contentsOf: file, encoding: .utf8)
        XCTAssertTrue(
            page == text,
            "\(name) does not match the code; "
                + "`PULSEGATE_UPDATE_MANUAL=1 swift test --filter ManualPageTests` regenerates it",
            line: line)
    }

    func testConfigurationPage_hasEveryKey() throws {
        try assertPage(
            "configuration.md", is: ConfigurationReference(plugins: builtIn).markdown)
    }

    func testCommandPage_hasEveryCommand() throws {
        try assertPage("commands.md", is: CommandReference.markdown)
    }
}
