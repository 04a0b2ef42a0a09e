import Foundation
import GatewayTesting
import Glibc
import XCTest

@testable import GatewayCore
@testable import GatewayHost
@testable import HealthModel
@testable import JSON
@testable import Platform

final class SecretsFolderTests: XCTestCase {
    private var folder: TemporaryFolder!
    private var secrets: SecretsFolder!

    override func setUpWithError() throws {
        folder = try TemporaryFolder()
        secrets = SecretsFolder(DataDirectory(path: folder.path("data")))
    }

    override func tearDown() {
        folder = nil
    }

    private func name(_ text: String) throws -> PlainName { try XCTUnwrap(PlainName(text)) }

    private func value(_ text: String) throws -> Secret.Value {
        try Secret.Value(validating: Array(text.utf8))
    }

    private func mode(_ path: String) -> mode_t {
        var status = stat()
        return lstat(path, &status) == 0 ? status.st_mode & 0o7777 : 0
    }

    private func bytes(_ path: String) throws -> [UInt8] {
        Array(try Data(contentsOf: URL(fileURLWithPath: path)))
    }

    func testSet_createsAFolderAndAFileThatOnlyTheOwnerReads() async throws {
        let old = umask(0)
        defer { umask(old) }
        let isReplaced = try await secrets.set(name("repo"), to: value("s3cret"))
        XCTAssertFalse(isReplaced)
        XCTAssertEqual(mode(secrets.path), 0o700)
        XCTAssertEqual(mode("\(secrets.path)/repo"), 0o600)
        XCTAssertEqual(try bytes("\(secrets.path)/repo"), Array("s3cret\n".utf8))
        XCTAssertEqual(try secrets.list().entries.map(\.name.text), ["repo"])
    }

    func testSet_overAnotherOne_overwritesTheOldContent() async throws {
        _ = try await secrets.set(name("repo"), to: value("old-value"))
        let reader = try FileHandle(
            forReadingFrom: URL(fileURLWithPath: "\(secrets.path)/repo"))
        let isReplaced = try await secrets.set(name("repo"), to: value("new"))
        XCTAssertTrue(isReplaced)
        XCTAssertEqual(try bytes("\(secrets.path)/repo"), Array("new\n".utf8))
        XCTAssertEqual(try reader.readToEnd(), Data(repeating: 0, count: 10))
        XCTAssertEqual(try Folder.names(in: secrets.path), ["repo"])
    }

    func testRemove_overwritesAndRemoves_andReportsWhatIsMissing() async throws {
        _ = try await secrets.set(name("repo"), to: value("old-value"))
        let reader = try FileHandle(
            forReadingFrom: URL(fileURLWithPath: "\(secrets.path)/repo"))
        let isRemoved = try await secrets.remove(name("repo"))
        XCTAssertTrue(isRemoved)
        XCTAssertEqual(try reader.readToEnd(), Data(repeating: 0, count: 10))
        let isRemovedAgain = try await secrets.remove(name("repo"))
        XCTAssertFalse(isRemovedAgain)
    }

    func testReplaced_aFileWithAnotherName_keepsItsContentThere() async throws {
        _ = try await secrets.set(name("repo"), to: value("old"))
        XCTAssertEqual(link("\(secrets.path)/repo", folder.path("copy")), 0)
        _ = try await secrets.set(name("repo"), to: value("new"))
        XCTAssertEqual(try bytes(folder.path("copy")), Array("old\n".utf8))
    }

    func testSymbolicLinks_areNeverFollowed() async throws {
        try folder.write(Array("other".utf8), to: "other")
        _ = try await secrets.set(name("a"), to: value("x"))
        XCTAssertEqual(symlink(folder.path("other"), "\(secrets.path)/repo"), 0)
        XCTAssertEqual(symlink(folder.path("other"), "\(secrets.path)/.repo.new"), 0)
        do {
            _ = try await secrets.set(name("repo"), to: value("new"))
            XCTFail("wrote through a link")
        } catch {}
        XCTAssertEqual(unlink("\(secrets.path)/.repo.new"), 0)
        _ = try await secrets.set(name("repo"), to: value("new"))
        XCTAssertEqual(try bytes(folder.path("other")), Array("other".utf8))
        XCTAssertEqual(try bytes("\(secrets.path)/repo"), Array("new\n".utf8))
        // The folder itself, too.
        let linked = SecretsFolder(DataDirectory(path: folder.path("linked")))
        try folder.makeFolder("linked")
        XCTAssertEqual(symlink(secrets.path, linked.path), 0)
        do {
            _ = try await linked.set(name("b"), to: value("x"))
            XCTFail("followed a link")
        } catch {}
    }

    func testFolder_openToOthers_isProtectedAgain() async throws {
        _ = try await secrets.set(name("a"), to: value("x"))
        XCTAssertEqual(chmod(secrets.path, 0o755), 0)
        XCTAssertEqual(chmod("\(secrets.path)/a", 0o644), 0)
        XCTAssertEqual(try secrets.list().notes.count, 1)
        _ = try await secrets.set(name("a"), to: value("y"))
        XCTAssertEqual(mode(secrets.path), 0o700)
        XCTAssertEqual(mode("\(secrets.path)/a"), 0o600)
        XCTAssertEqual(try secrets.list().notes, [])
    }

    /// Folders with any names and any content: nothing is lost, and a value is in no message.
    func testFuzz_anyFolder() async throws {
        var run = FuzzRun("secrets folders", inputs: 300)
        let words = ["repo", ".repo.new", "a b", "-x", "..x", "é"].map { Array($0.utf8) }
        while var random = run.next() {
            let home = try TemporaryFolder()
            let secrets = SecretsFolder(DataDirectory(path: home.path))
            try home.makeFolder("secrets")
            for _ in 0..<Int.random(in: 0...4, using: &random) {
                var bytes = words.randomElement(using: &random) ?? []
                random.mutate(&bytes, words: words)
                let text = String(decoding: bytes, as: UTF8.self).filter {
                    $0 != "/" && $0 != "\0"
                }
                guard !text.isEmpty, text != ".", text != "..", text.utf8.count < 200 else {
                    continue
                }
                let path = home.path("secrets/\(text)")
                if Bool.random(using: &random) {
                    mkdir(path, 0o700)
                } else {
                    let file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
                    var content = Array("hunter2".utf8)
                    random.mutate(&content, words: words)
                    write(file, content, content.count)
                    close(file)
                }
            }
            do {
                let before = try secrets.list()
                run.expect(!before.notes.joined().contains("hunter2"), "a value in a note")
                if before.notes.isEmpty {
                    _ = try await secrets.set(name("kept"), to: value("kept-value"))
                    let after = try secrets.list().entries.map(\.name)
                    run.expect(
                        Set(after) == Set(before.entries.map(\.name)).union([try name("kept")]),
                        "\(after)")
                    let node = ConfigurationNode(
                        path: "t", value: .object(["secret": .string("kept")]))
                    let context = ComponentContext(
                        name: "x", clock: ManualClock(), log: Logger(component: "x") { _ in },
                        dataDirectory: home.path)
                    run.expect(
                        try Secret(node, context).read().text == "kept-value", "not the value")
                }
            } catch {
                run.expect(!"\(error)".contains("hunter2"), "a value in an error")
            }
        }
        XCTAssertEqual(run.finish(), [])
    }
}
