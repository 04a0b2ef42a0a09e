import GatewayTesting
import XCTest

@testable import Platform
@testable import Terminal

/// Any bytes that a terminal sends.
final class KeyFuzzTests: XCTestCase {
    private static let words = [
        "\u{1b}", "\u{1b}[", "\u{1b}[200~", "\u{1b}[201~", "\u{1b}O", "\u{1b}[[", ";", "5", "~",
        "é",
    ].map { Array($0.utf8) }

    func testKeys_ofAnyBytes_arePrintable_andComeAgainLater() {
        var run = FuzzRun("keys", inputs: 500)
        while var random = run.next() {
            var parser = KeyParser()
            var time = BootInstant(nanoseconds: 1_000_000_000)
            for _ in 0..<Int.random(in: 1...20, using: &random) {
                var bytes = Array("\u{1b}[1;5Cp\u{1b}[200~text\u{1b}[201~q".utf8)
                for _ in 0...random.pick([0, 2, 6]) { random.mutate(&bytes, words: Self.words) }
                if random.once(in: 3) { bytes = random.bytes(upTo: 12) }
                if let key = parser.key(of: bytes, at: time) {
                    run.expect(
                        key.isASCII && (key >= " " || key.isNewline), "\(key.debugDescription)")
                }
                time = time.adding(seconds: random.pick([0, 0.1, 0.6]))
            }
            // Whatever came before, a key that is pressed a while later is one.
            time = time.adding(seconds: 1)
            run.expect(parser.key(of: "p".utf8, at: time) == "p", "the next key is lost")
        }
        XCTAssertEqual(run.finish(), [])
    }
}
