import Foundation
import Platform
import XCTest

/// Words of commands that a reader pastes into a shell.
final class ShellWordTests: XCTestCase {
    func testSafeWords_stayAsTheyAre_andOthersAreQuoted() {
        for word in ["/var/lib/pulsegate", "D0:11:22:33:44:55", "a-b_c.d@e%f+g=h,i"] {
            XCTAssertEqual(ShellWord.quoted(word), word)
        }
        XCTAssertEqual(ShellWord.quoted(""), "''")
        XCTAssertEqual(ShellWord.quoted("/a b"), "'/a b'")
        XCTAssertEqual(ShellWord.quoted("it's"), #"'it'\''s'"#)
        XCTAssertEqual(ShellWord.quoted("~"), "'~'")
        XCTAssertEqual(ShellWord.quoted("$(id)"), "'$(id)'")
    }

    /// The shell gives every word back, also one whose quote carries an accent.
    func testEveryWord_isOneWordOfTheShell() throws {
        var generator = SeededGenerator(seed: 20_261_127)
        var words = (1..<128).map { String(UnicodeScalar(UInt8($0))) } + ["", "'\u{301}", "ä ö"]
        for _ in 0..<300 {
            let count = Int.random(in: 0...24, using: &generator)
            let bytes = (0..<count).map { _ in UInt8.random(in: 1...127, using: &generator) }
            words.append(String(decoding: bytes, as: UTF8.self))
        }
        let command = "printf '%s\\000' " + words.map(ShellWord.quoted).joined(separator: " ")
        let expected: [UInt8] = words.flatMap { Array("\($0)\0".utf8) }
        XCTAssertEqual(try output(of: command), expected)
    }

    private func output(of command: String) throws -> [UInt8] {
        let (process, pipe) = (Process(), Pipe())
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments = ["-c", command]
        process.standardOutput = pipe
        try process.run()
        let data = try pipe.fileHandleForReading.readToEnd()
        process.waitUntilExit()
        XCTAssertEqual(process.terminationStatus, 0)
        return Array(data ?? Data())
    }
}
