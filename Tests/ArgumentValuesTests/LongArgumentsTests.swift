import XCTest

@testable import ArgumentValues
@testable import GatewayHost

final class LongArgumentsTests: XCTestCase {
    private let long = String(repeating: "a", count: 100_000)
    private var cut: String { String(repeating: "a", count: 80) + "…" }

    private func text(_ message: String, _ arguments: String...) -> String {
        LongArguments.text(of: HostError(.usage, message), arguments: arguments)
    }

    func testLongArguments_areCut_whereverTheyAre() {
        XCTAssertEqual(
            text("unknown type `\(long)`\nusage: \(long)", "query", long),
            "unknown type `\(cut)`\nusage: \(cut)")
        XCTAssertEqual(text("--unit: `\(long)`", "--unit=\(long)"), "--unit: `\(cut)`")
        XCTAssertEqual(
            text("unknown option `--\(long)`", "--\(long)=1"),
            "unknown option `--\(cut.dropFirst(2))`")
    }

    func testShortArguments_areWhole() {
        let path = String(repeating: "a", count: LongArguments.maximumLength)
        XCTAssertEqual(text("cannot read \(path)", path), "cannot read \(path)")
        XCTAssertEqual(text("no", "no"), "no")
    }

    func testControlCharacters_areEscaped_alsoInWhatIsCut() {
        let word = String(repeating: "\u{1B}", count: 300)
        XCTAssertEqual(
            text("`\(word)`", word), "`" + String(repeating: "\\u{1b}", count: 80) + "…`")
    }
}
