import WorkoutFiles
import XCTest

/// What the message about a TCX file that is not read advises.
final class XMLProblemTests: XCTestCase {
    private func message(_ xml: String) -> String {
        do {
            _ = try WorkoutFile.read(Array(xml.utf8))
            return "read"
        } catch {
            return "\(error)"
        }
    }

    func testProblems_ofXML_haveAdvice() {
        let root = "<TrainingCenterDatabase>"
        let text = String(repeating: "x", count: 70_000)
        let messages = [
            "\(root)\n\n<b>\(text)</b></TrainingCenterDatabase>":
                "line 3: XML texts of more than 65536 bytes are not supported; "
                + "remove them in an editor, or export the workout as FIT",
            "<?xml version=\"1.0\" encoding=\"Shift_JIS\"?><a/>":
                "the file's encoding Shift_JIS is not supported; convert the file and its XML "
                + "declaration to UTF-8",
            "<!DOCTYPE a [<!ENTITY e \"x\">]><a/>":
                "the file's DOCTYPE contains declarations, which are not supported; remove the "
                + "DOCTYPE",
        ]
        for (xml, expected) in messages { XCTAssertEqual(message(xml), expected) }
    }
}
