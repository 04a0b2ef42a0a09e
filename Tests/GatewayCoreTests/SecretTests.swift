import GatewayTesting
import XCTest

@testable import GatewayCore
@testable import JSON
@testable import Platform

final class SecretTests: XCTestCase {
    private var folder: TemporaryFolder!

    override func setUpWithError() throws {
        folder = try TemporaryFolder()
    }

    override func tearDown() {
        folder = nil
    }

    private func secret(_ text: String, _ environment: [String: String] = [:]) throws -> Secret {
        let context = ComponentContext(
            name: "x", clock: ManualClock(), log: Logger(component: "x") { _ in },
            dataDirectory: folder.path, environment: environment)
        return try Secret(
            ConfigurationNode(path: "a.token", value: JSONValue(json5: text)), context)
    }

    private func write(_ bytes: [UInt8], mode: mode_t = 0o600) throws {
        let path = try folder.write(bytes, to: "token")
        XCTAssertEqual(chmod(path, mode), 0)
    }

    /// The error for a file with this content.
    private func error(
        ofFileWith bytes: [UInt8], mode: mode_t = 0o600
    ) throws -> ConfigurationError? {
        try write(bytes, mode: mode)
        do {
            _ = try secret("{ file: \"token\" }").read()
            return nil
        } catch let error as ConfigurationError {
            return error
        }
    }

    func testFile_isReadWithoutItsLineEnd_eachTimeAnew() throws {
        let secret = try secret("{ file: \"token\" }")
        for (text, value) in [("abc", "abc"), ("x y\n", "x y"), ("é\r\n", "é")] {
            try write(Array(text.utf8))
            XCTAssertEqual(try secret.read().text, value)
        }
        XCTAssertEqual("\(secret)", folder.path("token"))
    }

    func testFile_openToOthers_isRejectedWithTheRemedy() throws {
        for mode: mode_t in [0o640, 0o604, 0o644, 0o660, 0o610] {
            let error = try XCTUnwrap(try error(ofFileWith: Array("abc".utf8), mode: mode))
            XCTAssertEqual(error.path, "a.token.file")
            XCTAssertTrue(error.problem.contains("; run chmod 600 "), "\(error)")
        }
        XCTAssertNil(try error(ofFileWith: Array("abc".utf8), mode: 0o400))
    }

    func testFile_withWhatIsNoSecret_isRejected_andNotRepeated() throws {
        let wrong =
            [
                "", "\n", "\r\n", "two\nlines-hunter2", "hunter2\n\n", " hunter2", "hunter2 ",
                "hunter2\u{0}", "\u{1B}[31mhunter2", "hunter2\u{7F}",
                String(repeating: "hunter2", count: 1_000),
            ].map { Array($0.utf8) } + [[0xFF, 0xFE]]
        for bytes in wrong {
            let error = try XCTUnwrap(try error(ofFileWith: bytes), "\(bytes)")
            XCTAssertFalse("\(error)".contains("hunter2"), "\(error)")
        }
        XCTAssertNil(try error(ofFileWith: [UInt8](repeating: 0x61, count: Secret.lengthLimit)))
        XCTAssertNotNil(
            try error(ofFileWith: [UInt8](repeating: 0x61, count: Secret.lengthLimit + 1)))
    }

    func testWhatIsNoFile_isRejectedWithoutWaiting() throws {
        XCTAssertEqual(mkfifo(folder.path("token"), 0o600), 0)
        XCTAssertThrowsError(try secret("{ file: \"token\" }").read()) { error in
            XCTAssertTrue("\(error)".contains("is not a regular file"), "\(error)")
        }
        XCTAssertThrowsError(try secret("{ file: \"none\" }").read()) { error in
            XCTAssertTrue("\(error)".contains("No such file"), "\(error)")
        }
        XCTAssertThrowsError(try secret("{ file: \"/\" }").read())
    }

    func testVariable() throws {
        XCTAssertEqual(try secret("{ env: \"T\" }", ["T": "abc"]).read().text, "abc")
        for environment in [[:], ["T": ""]] {
            XCTAssertThrowsError(try secret("{ env: \"T\" }", environment).read()) { error in
                XCTAssertTrue("\(error)".hasPrefix("a.token.env: $T is not set; "), "\(error)")
            }
        }
        XCTAssertThrowsError(try secret("{ env: \"T\" }", ["T": "a\nb"]).read())
    }

    func testCredential() throws {
        try write(Array("abc".utf8), mode: 0o440)
        let found = try secret(
            "{ credential: \"token\" }", ["CREDENTIALS_DIRECTORY": folder.path])
        XCTAssertEqual(try found.read().text, "abc")
        XCTAssertThrowsError(try secret("{ credential: \"token\" }").read()) { error in
            XCTAssertTrue("\(error)".contains("LoadCredential=token:"), "\(error)")
        }
        for name in ["a/b", "a/\u{301}", "..", "."] {
            XCTAssertThrowsError(try secret("{ credential: \"\(name)\" }"))
        }
    }

    func testPlainText_isRejected_andNotRepeated() throws {
        XCTAssertThrowsError(try secret("\"hunter2\"")) { error in
            XCTAssertTrue("\(error)".hasPrefix("a.token: a secret must not be in"), "\(error)")
            XCTAssertFalse("\(error)".contains("hunter2"), "\(error)")
        }
    }

    func testValue_doesNotShowItself() throws {
        let secret = try secret("{ env: \"T\" }", ["T": "hunter2"])
        let value = try secret.read()
        var dumped = ""
        dump((secret, value, [value]), to: &dumped)
        let texts = "\(value) \(String(reflecting: value)) \(secret) \(secret as Any) \(dumped)"
        XCTAssertFalse(texts.contains("hunter2"), texts)
    }

    // MARK: Stored secrets

    func testStored_isReadEachTimeAnew_andAMissingOneNamesTheCommand() throws {
        let secret = try secret("{ secret: \"repo-token\" }")
        XCTAssertEqual("\(secret)", "secret repo-token")
        XCTAssertThrowsError(try secret.read()) { error in
            XCTAssertEqual((error as? ConfigurationError)?.path, "a.token.secret")
            XCTAssertTrue(
                "\(error)".contains("set it: `pulsegate secret set repo-token`"), "\(error)")
        }
        try folder.makeFolder("secrets")
        for value in ["old", "new"] {
            let path = try folder.write(Array("\(value)\n".utf8), to: "secrets/repo-token")
            XCTAssertEqual(chmod(path, 0o600), 0)
            XCTAssertEqual(try secret.read().text, value)
        }
        XCTAssertEqual(chmod(folder.path("secrets/repo-token"), 0o644), 0)
        XCTAssertThrowsError(try secret.read())
    }

    func testStored_aNameThatIsNoPlainName_isRejected() throws {
        let long = String(repeating: "a", count: PlainName.lengthLimit + 1)
        for name in ["", ".", "..", "../x", "a/b", "a b", "-a", ".a", "é", "a\u{0}", long] {
            XCTAssertNil(PlainName(name), name)
            let text = JSONValue.object(["secret": .string(name)]).json
            XCTAssertThrowsError(try secret(text), name)
        }
        for name in ["a", "0", "repo-token", "A.b_C-9", String(long.dropLast())] {
            XCTAssertEqual(PlainName(name)?.text, name)
        }
    }

    func testSettings_differWhenAStoredSecretWasReplacedOrRemoved() throws {
        let node = ConfigurationNode(
            path: "sinks.a",
            value: try JSONValue(json5: "{ headers: { X: [{ secret: \"a\" }] }, b: { secret: 1 } }")
        )
        let settings = { ComponentSettings(node).reading(secretsIn: self.folder.path) }
        let missing = settings()
        XCTAssertEqual(missing, settings())
        try folder.write([0x61], to: "a")
        let first = settings()
        XCTAssertNotEqual(missing, first)
        XCTAssertEqual(first, settings())
        try folder.write([0x61], to: "b")
        XCTAssertEqual(first, settings())
        XCTAssertEqual(rename(folder.path("b"), folder.path("a")), 0)
        XCTAssertNotEqual(first, settings())
        XCTAssertEqual(unlink(folder.path("a")), 0)
        XCTAssertEqual(missing, settings())
    }
}
