import GatewayCore
import JSON
import XCTest

@testable import HTTPSink

/// Tests that invalid settings are reported at their key path, without secrets.
final class HTTPSinkSettingsTests: SinkTestCase {
    private func error(_ settings: String) throws -> ConfigurationError? {
        do {
            _ = try makeSink(settings)
            return nil
        } catch let error as ConfigurationError {
            return error
        }
    }

    func testWrongSettings_areRejectedAtTheirPath() throws {
        let url = "url: \"https://repo.example/v1\""
        let wrong: [(settings: String, path: String, words: String)] = [
            ("", "", "`url` is missing"),
            ("url: 7", ".url", "expected a string"),
            ("url: \"\"", ".url", "must not be empty"),
            ("url: \"repo.example\"", ".url", "http://"),
            ("url: \"ftp://repo.example\"", ".url", "http://"),
            ("url: \"http://me:hunter2@repo.example\"", ".url", "token"),
            ("url: \"http://repo.example/a b\"", ".url", "%XX"),
            ("\(url), format: \"jsno\"", ".format", "did you mean `json`?"),
            ("\(url), tokn: {}", ".tokn", "did you mean `token`?"),
            ("\(url), token: \"hunter2\"", ".token", "{ file: \"…\" }"),
            ("\(url), token: {}", ".token", "one of `file`"),
            ("\(url), token: { file: \"a\", env: \"B\" }", ".token", "one of `file`"),
            ("\(url), token: { fiel: \"a\" }", ".token.fiel", "did you mean `file`?"),
            ("\(url), token: { file: 7 }", ".token.file", "expected a string"),
            ("\(url), token: { file: \"\" }", ".token.file", "must not be empty"),
            ("\(url), token: { env: \"A=B\" }", ".token.env", "is not the name"),
            ("\(url), token: { credential: \"../x\" }", ".token.credential", "is not the name"),
            ("\(url), token: { env: \"A\" }, user: \"u\"", ".user", "remove one of them"),
            (
                "\(url), token: { env: \"A\" }, password: { env: \"B\" }", ".password",
                "remove one of them"
            ),
            ("\(url), user: \"u\"", "", "`password` is missing"),
            ("\(url), password: { env: \"B\" }", "", "`user` is missing"),
            ("\(url), user: \"u\", password: \"hunter2\"", ".password", "{ file: \"…\" }"),
            ("\(url), user: \"a:b\", password: { env: \"B\" }", ".user", "colon"),
            ("\(url), user: \"a:\u{301}\", password: { env: \"B\" }", ".user", "colon"),
            ("\(url), headers: []", ".headers", "expected an object"),
            (
                "\(url), headers: { Authorization: \"hunter2\" }", ".headers.Authorization",
                "`token`"
            ),
            ("\(url), headers: { Host: \"x\" }", ".headers.Host", "remove it"),
            ("\(url), headers: { \"content-type\": \"x\" }", ".headers.content-type", "remove"),
            (
                "\(url), headers: { \"Idempotency-Key\": \"x\" }", ".headers.Idempotency-Key",
                "set by the sink"
            ),
            ("\(url), headers: { \"a b\": \"x\" }", ".headers.a b", "invalid"),
            ("\(url), headers: { \"X-A\": \"1\", \"x-a\": \"2\" }", ".headers.x-a", "duplicate"),
            ("\(url), headers: { X: \"hunter2\\n\" }", ".headers.X", "control character"),
            ("\(url), headers: { X: 7 }", ".headers.X", "expected a string"),
            ("\(url), headers: { X: { env: 7 } }", ".headers.X.env", "expected a string"),
            ("\(url), timeout: \"5s\"", ".timeout", "expected a number"),
            ("\(url), timeout: 0", ".timeout", "from 1 to 3600"),
            ("\(url), timeout: 1e9", ".timeout", "from 1 to 3600"),
            ("\(url), ca: 7", ".ca", "expected a string"),
            ("url: \"http://repo.example\", ca: \"ca.pem\"", ".ca", "https://"),
            (
                "url: \"http://repo.example\", certificate: { certificate: \"a\", key: \"b\" }",
                ".certificate", "https://"
            ),
            ("\(url), certificate: { certificate: \"a\" }", ".certificate", "`key` is missing"),
            ("\(url), certificate: { cert: \"a\" }", ".certificate.cert", "known"),
            ("\(url), socket: \"\(String(repeating: "x", count: 108))\"", ".socket", "shorter"),
            ("\(url), whenAllRejected: \"drop\"", ".whenAllRejected", "known: block, reject"),
        ]
        for (settings, path, words) in wrong {
            let error = try XCTUnwrap(try error(settings), settings)
            XCTAssertEqual(error.path, "sinks.repository\(path)", settings)
            XCTAssertTrue(error.problem.contains(words), "\(settings): \(error)")
            XCTAssertFalse("\(error)".contains("hunter2"), "\(error)")
        }
    }

    func testRightSettings() throws {
        let right = [
            "url: \"http://[::1]:8086/write?db=health\", format: \"influx\"",
            "url: \"https://repo.example\", token: { credential: \"repo\" }, ca: \"ca.pem\", "
                + "certificate: { certificate: \"/etc/a.pem\", key: \"/etc/a.key\" }",
            "url: \"http://x\", socket: \"/run/repo.sock\", timeout: 2.5, "
                + "whenAllRejected: \"reject\", headers: {}",
        ]
        for settings in right { XCTAssertNil(try error(settings), settings) }
    }

    func testEverySetting_isDescribed() {
        XCTAssertEqual(HTTPSink.about.settings.map(\.name), HTTPSink.factory.keys)
    }

    /// Only this machine's own addresses need no warning; a name may begin like one.
    func testOpen_isEveryHostButThisMachine() throws {
        let hosts = [
            "127.0.0.1": false, "127.255.0.9": false, "localhost": false, "[::1]": false,
            "127.example.com": true, "127.0.0.1.example.com": true,
            // An address of this machine too, cut short (inet_aton(3)).
            "127.0.0": false,
            "192.168.0.7": true, "repo.example": true,
        ]
        for (host, isUnencrypted) in hosts {
            let node = ConfigurationNode(
                path: "sinks.repository",
                value: try JSONValue(json5: "{ url: \"http://\(host)/\" }"))
            let settings = try HTTPSinkSettings(
                node.object(keys: HTTPSinkSettings.keys), context())
            XCTAssertEqual(settings.isUnencrypted, isUnencrypted, host)
        }
    }
}
