import Foundation
import XCTest

/// Tests for the files of the web pages.
final class WebPageTests: XCTestCase {
    private static let folder = "plugins/Web/Sources/Pages"
    /// What a browser loads for one page, without compression.
    private static let largestPage = 60_000

    func testStrings_haveBothLanguages_andEveryKeyIsUsed() throws {
        let table = try read("strings.js")
        let entry = /(?m)^  "?([\w.]+)"?: \[\s*"((?:[^"\\]|\\.)+)",\s*"((?:[^"\\]|\\.)+)"\],$/
        let texts = table.matches(of: entry).map { (String($0.1), [$0.2, $0.3]) }
        // As many as there are lines that begin an entry: none is cut or has a third text.
        XCTAssertEqual(texts.count, table.matches(of: /(?m)^  "?[\w.]+"?: \[/).count)
        XCTAssertEqual(Set(texts.map(\.0)).count, texts.count)
        for (key, languages) in texts {
            let values = languages.map { Set($0.matches(of: /\{\w+\}/).map { String($0.0) }) }
            XCTAssertEqual(values[0], values[1], "the values of \(key)")
        }
        let keys = Set(texts.map(\.0))
        let (literals, starts, asked) = try words()
        XCTAssertEqual(asked.subtracting(keys), [], "keys without a text")
        let unused = keys.subtracting(literals).filter { key in
            !starts.contains { key.hasPrefix($0) }
        }
        XCTAssertEqual(unused, [])
    }

    func testPages_areSmall() throws {
        for page in try names(".html") {
            var files: Set<String> = []
            try collect(page, into: &files)
            let size = try files.map { try read($0).utf8.count }.reduce(0, +)
            XCTAssertLessThan(size, Self.largestPage, "\(page): \(files.sorted())")
        }
    }

    func testPages_loadNothingFromElsewhere_andHaveNoInlineScript() throws {
        for name in try names("") {
            let text = try read(name).replacing("http://www.w3.org/2000/svg", with: "")
            XCTAssertFalse(text.contains(/https?:\/\/|["'(]\/\//), name)
            // Names of people and devices are text, never markup.
            XCTAssertFalse(
                text.contains(/(inner|outer)HTML|insertAdjacentHTML|document\.write|\beval\(/), name
            )
            guard name.hasSuffix(".html") else { continue }
            XCTAssertFalse(text.contains(/<style|\sstyle=|\son\w+=|<script(?![^>]*\ssrc=)/), name)
        }
    }

    // MARK: Helpers

    /// Adds a file and what it loads.
    private func collect(_ name: String, into files: inout Set<String>) throws {
        guard files.insert(name).inserted else { return }
        let text = try read(name)
        let links = text.matches(of: /(?:src|href)="\/([\w.]+\.\w+)"/).map(\.1)
        let imports = text.matches(of: /from "\.\/([\w.]+)"/).map(\.1)
        for link in links + imports { try collect(String(link), into: &files) }
    }

    /// The words in quotes of all pages, the starts of keys that are made at run time, and the keys
    /// that are certainly meant as such.
    private func words() throws -> (literals: Set<String>, starts: Set<String>, asked: Set<String>)
    {
        var (literals, starts, asked): (Set<String>, Set<String>, Set<String>) = ([], [], [])
        for name in try names("") where name != "strings.js" {
            let text = try read(name)
            func found(_ pattern: Regex<(Substring, Substring)>) -> [String] {
                text.matches(of: pattern).map { String($0.1) }
            }
            literals.formUnion(found(/"([\w.]+)"/))
            starts.formUnion(found(/[`"](\w+\.)(?:\$\{|")/))
            asked.formUnion(found(/\btext\("([\w.]+)"/) + found(/\btranslate\("([\w.]+)"/))
            asked.formUnion(found(/data-(?:text|label)="([\w.]+)"/))
        }
        return (literals, starts, asked)
    }

    private func names(_ suffix: String) throws -> [String] {
        let paths = try Repository.paths(in: Self.folder)
        XCTAssertGreaterThan(paths.count, 0)
        return paths.map { String($0.dropFirst(Self.folder.count + 1)) }
            .filter { $0.hasSuffix(suffix) }
    }

    private func read(_ name: String) throws -> String {
        let path = "\(Self.folder)/\(name)"
        return try String(contentsOf: Repository.root.appending(path: path), encoding: .utf8)
    }
}
