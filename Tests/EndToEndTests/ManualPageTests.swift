import Foundation
import GatewayTesting
import XCTest

/// `man`: the manual page.
final class ManualPageTests: XCTestCase {
    private func page(_ home: Home) async throws -> String {
        let outcome = try await home.run("man")
        XCTAssertEqual(outcome.ending, .exited(0), outcome.error)
        return outcome.output
    }

    func testPage_hasEveryCommandAndOption() async throws {
        let home = try Home()
        let sections = try await page(home).components(separatedBy: "\n.SS ")
        let common = sections[0]
        for (name, options) in try await HelpText.commands(of: home) {
            let section = sections.first { section in
                let title = section.split(separator: "\n")[0]
                return title == name || title.hasPrefix("\(name) \\fI")
                    || title.hasPrefix("\(name) [")
            }
            let text = try XCTUnwrap(section, name)
            for option in options {
                let term = ".TP\n\\fB\(option.replacingOccurrences(of: "-", with: "\\-"))\\fR"
                XCTAssertTrue(text.contains(term) || common.contains(term), "\(name) \(option)")
            }
        }
    }

    func testPage_isFormattedWithoutAWarning() async throws {
        let home = try Home()
        try home.folder.write(Array(try await page(home).utf8), to: "pulsegate.1")
        let path = home.folder.path("pulsegate.1")
        let programs = [
            ["/usr/bin/groff", "-man", "-ww", "-z", path],
            ["/usr/bin/man", "--warnings", "-l", path],
        ]
        for (words, locale) in programs.flatMap({ [($0, "C.UTF-8"), ($0, "C")] }) {
            guard FileManager.default.isExecutableFile(atPath: words[0]) else {
                throw XCTSkip("\(words[0]) is missing; apt-get install groff-base man-db")
            }
            var environment = home.environment
            environment["LC_ALL"] = locale
            let program = try RunningCommand(
                words, in: home.folder, environment: environment, output: .pipe)
            let ending = try await program.waitForEnd(within: 30)
            XCTAssertEqual(ending, .exited(0))
            let warnings = await program.text(of: .error)
            XCTAssertEqual(warnings, "", "\(words[0]) \(locale)")
        }
    }
}
