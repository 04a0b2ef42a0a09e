import GatewayTesting
import HTTPClient
import Platform
import XCTest

final class HTTPURLTests: XCTestCase {
    func testURL_isTakenApart() throws {
        let url = try HTTPURL("HTTPS://Repo.Example:8443/v1/samples?db=a%20b&x=?")

        XCTAssertEqual(url.scheme, .https)
        XCTAssertEqual(url.host, "repo.example")
        XCTAssertEqual(url.port, 8443)
        XCTAssertEqual(url.path, "/v1/samples")
        XCTAssertEqual(url.query, "db=a%20b&x=?")
        XCTAssertEqual(url.origin, "https://repo.example:8443")
        XCTAssertEqual(url.text, "https://repo.example:8443/v1/samples?db=a%20b&x=?")
    }

    func testURL_withoutPathOrPort_hasTheUsualOnes() throws {
        XCTAssertEqual(try HTTPURL("http://host").text, "http://host/")
        XCTAssertEqual(try HTTPURL("http://host?q").text, "http://host/?q")
        XCTAssertEqual(try HTTPURL("http://host:80/x").origin, "http://host")
        XCTAssertEqual(try HTTPURL("https://host").port, 443)
        XCTAssertEqual(try HTTPURL("https://host:80").origin, "https://host:80")
    }

    func testURL_withAnAddress_keepsIt() throws {
        XCTAssertEqual(try HTTPURL("http://127.0.0.1:8086/").host, "127.0.0.1")
        XCTAssertEqual(try HTTPURL("http://[::1]:8086/").origin, "http://[::1]:8086")
        XCTAssertEqual(try HTTPURL("http://[FE80::1%25eth0]").host, "[fe80::1%25eth0]")
    }

    /// libcurl normalizes these addresses.
    func testURL_withAShortAddress_hasItInFull() throws {
        XCTAssertEqual(try HTTPURL("http://127.1/").host, "127.0.0.1")
        XCTAssertEqual(try HTTPURL("http://0x7f000001").host, "127.0.0.1")
        XCTAssertEqual(try HTTPURL("http://[0:0:0:0:0:0:0:1]").host, "[::1]")
    }

    func testURL_withUserInformation_reportsWhereTheSecretBelongs() throws {
        for text in ["http://me:hunter2@host/", "https://hunter2@host", "http://:hunter2@[::1]"] {
            let error = try XCTUnwrap(failure(of: try HTTPURL(text)))

            XCTAssertEqual(error.kind, .badURL)
            XCTAssertTrue(error.description.contains("token: { file:"), error.description)
            XCTAssertFalse(error.description.contains("hunter2"), error.description)
        }
    }

    func testURL_thatIsWrong_isRejected() throws {
        let texts = [
            "", "host", "//host", "host:80", "http:", "http:/", "http://", "http:///path",
            "ftp://host/",
            "file:///etc/passwd", "https//host", "http://ho st", "http://host/a b",
            "http://host/\n",
            "http://host/\u{0}", "http://höst/", "http://host/ä", "http://host:", "http://host:0",
            "http://host:65536", "http://host:123456", "http://host:-1", "http://host:8x",
            "http://host:80:80", "http://host/#part", "http://host#", "http://host/%",
            "http://host/%4",
            "http://host/%zz", "http://[::1", "http://[]", "http://[1.2.3.4]", "http://[::1]x",
            "http://[::g]", "http:/host", "http:host", "http://:80", "http://?q", "http://[::1]:",
            "http://.host", "http://-host", "http://ho*st",
            "http://%2e", "http://a%7cb",
            "http://host/<x>", "http://host/{id}", "http://host\\@evil/",
            "http://\(String(repeating: "a", count: 254))",
            "http://host/\(String(repeating: "a", count: 4096))",
        ]

        for text in texts {
            let error = try XCTUnwrap(failure(of: try HTTPURL(text)), text)
            XCTAssertEqual(error.kind, .badURL, text)
            XCTAssertTrue(error.description.contains(";"), error.description)
        }
    }

    func testURL_ofRandomText_isReadAlikeAgainOrRefused() throws {
        let pieces = [
            "http://", "https://", "host", ":", "80", "/", "?", "#", "@", "[", "::1", "]", "%",
            "41", "é",
        ]
        var run = FuzzRun("URLs", inputs: 5_000)
        while var random = run.next() {
            let count = Int.random(in: 0..<8, using: &random)
            var bytes = Array((0..<count).map { _ in random.pick(pieces) }.joined().utf8)
            if random.once(in: 2) {
                bytes = Array("https://user@host.example:8443/a%20b/?c=d&e#f".utf8)
                let words = pieces.map { Array($0.utf8) }
                for _ in 0...random.pick([0, 3]) { random.mutate(&bytes, words: words) }
            }
            let text = String(decoding: bytes, as: UTF8.self)
            guard let url = try? HTTPURL(text) else { continue }
            run.expect((try? HTTPURL(url.text)) == url, "\(text) reads as \(url.text)")
        }
        XCTAssertEqual(run.finish(), [])
    }
}
