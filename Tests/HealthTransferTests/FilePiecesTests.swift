import Foundation
import GatewayTesting
import Glibc
import XCTest

@testable import GatewayHost
@testable import HealthTransfer

final class FilePiecesTests: XCTestCase {
    func testPieces_areTheFile_inPiecesOfEverySize() throws {
        let folder = try TemporaryFolder()
        let path = "\(folder.path)/a"
        let bytes = (0..<50).map { UInt8($0) }
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        for size in 1...60 {
            let pieces = try FilePieces(path, pieceSize: size)
            XCTAssertEqual(pieces.size, 50)
            var read: [UInt8] = []
            while !pieces.isAtEnd {
                let piece = try pieces.next()
                XCTAssertTrue(pieces.isAtEnd || piece.count == size, "\(size)")
                read += piece
                XCTAssertEqual(pieces.position, read.count)
            }
            XCTAssertEqual(read, bytes, "\(size)")
        }
    }

    func testWhatIsNoRegularFile_isRefused() throws {
        let folder = try TemporaryFolder()
        let pipe = "\(folder.path)/pipe"
        XCTAssertEqual(mkfifo(pipe, 0o600), 0)
        for path in [folder.path, pipe, "/dev/null"] {
            XCTAssertThrowsError(try FilePieces(path)) { error in
                XCTAssertEqual(
                    (error as? HostError)?.message, "cannot read \(path): not a regular file")
            }
        }
    }
}
