import WorkoutFiles
import XCTest

/// Files that are neither FIT nor TCX: the error says what they are and what to do.
final class ForeignFileTests: XCTestCase {
    private func message(_ bytes: [UInt8]) -> String {
        do {
            _ = try WorkoutFile.read(bytes)
            return "read"
        } catch {
            return "\(error)"
        }
    }

    private func message(_ text: String) -> String { message(Array(text.utf8)) }

    func testCompressedFile_saysWhatDecompressesIt() {
        for (bytes, name, command) in [
            ([0x1F, 0x8B, 8, 0], "gzip", "gunzip"), (Array("BZh91AY".utf8), "bzip2", "bunzip2"),
            ([0xFD, 0x37, 0x7A, 0x58, 0x5A, 0], "xz", "unxz"),
            ([0x28, 0xB5, 0x2F, 0xFD, 4], "zstd", "unzstd"),
        ] as [([UInt8], String, String)] {
            XCTAssertEqual(
                message(bytes),
                "the file is compressed with \(name); decompress it with `\(command)` and import "
                    + "the result")
        }
    }

    func testArchive_saysWhatExtractsIt() {
        let zip: [UInt8] = [0x50, 0x4B, 3, 4, 20, 0]
        let tar = [UInt8](repeating: 0, count: 257) + Array("ustar".utf8)
        for (bytes, name, command) in [
            (zip + [0, 8], "ZIP", "unzip"), (zip, "ZIP", "unzip"), (tar, "tar", "tar xf"),
            ([0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C], "7z", "7z x"),
            (Array("Rar!\u{1A}".utf8), "RAR", "unrar x"),
        ] {
            XCTAssertEqual(
                message(bytes),
                "the file is a \(name) archive; extract it with `\(command)` and import a FIT or "
                    + "TCX file from it")
        }
        XCTAssertTrue(message(zip + [9, 8]).contains("encrypted ZIP archive; extract it with its"))
    }

    func testEncryptedFile_saysWhatEncryptedIt() {
        for (text, name) in [
            ("-----BEGIN PGP MESSAGE-----\n", "PGP"), ("age-encryption.org/v1\n->", "age"),
            ("Salted__\u{1}\u{2}", "OpenSSL"),
        ] {
            XCTAssertEqual(
                message(text),
                "the file is encrypted with \(name); decrypt it and import the result")
        }
        let noise = (0..<200).map { UInt8(truncatingIfNeeded: $0 &* 167 &+ 129) }
        XCTAssertEqual(
            message(noise),
            "the file has an unknown format, or is encrypted; export the workout as FIT or TCX")
    }

    func testTextOfAnotherFormat_saysWhich() {
        for text in ["{\"a\": 1}", "\u{FEFF} [\n1]", "\n\t{}"] {
            XCTAssertTrue(message(text).contains("is JSON"), text)
        }
        for text in ["time,heart rate\n1,2\n", "[Params]\u{1}", "not a workout", "größe;1\n", "\n"]
        {
            let expected = text.contains("\u{1}") ? "unknown format" : "is text, such as CSV"
            XCTAssertTrue(message(text).contains(expected), message(text))
        }
        for text in ["<!doctype html><p>Log in", " <HTML><br>", "<!DOCTYPE html>\n<html/>"] {
            XCTAssertTrue(message(text).contains("web page; download the workout"), message(text))
        }
        for text in ["<gpx/>", "<?xml version='1.0'?><gpx:gpx xmlns:gpx='a'/>"] {
            XCTAssertTrue(message(text).contains("is GPX, a list of positions"), message(text))
        }
        XCTAssertTrue(message("<kml/>").contains("is XML, but not TCX; export the workout"))
    }

    func testFileWithoutAWorkout_saysWhereItIs() {
        XCTAssertEqual(message([]), "the file is empty; copy it from its source again")
        XCTAssertEqual(
            message([0, 5, 22, 7, 0, 2]),
            "the file has only the attributes that macOS keeps beside a file; import the file "
                + "whose name is the same without `._`")
    }
}
