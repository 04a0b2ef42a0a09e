import Foundation
import GatewayTesting
import Glibc
import XCTest

/// What a command wrote to files, as the preloaded library CWriteTrace noted it.
struct WriteTrace {
    enum Operation {
        /// Bytes were written to a file, at an offset.
        case write(inode: UInt64, offset: Int, bytes: ArraySlice<UInt8>)
        /// A file got this size, or at least this size.
        case resize(inode: UInt64, size: Int, onlyGrows: Bool)
        case sync(inode: UInt64)
        case createFile(inode: UInt64, path: String)
        case createFolder(inode: UInt64, path: String)
        case rename(from: String, to: String)
        case remove(path: String)
        /// Bytes were about to be sent to the network.
        case send(ArraySlice<UInt8>)
    }

    let operations: [Operation]

    /// The environment of a command whose writes below a path are noted in a file.
    static func environment(file: String, path: String) throws -> [String: String] {
        let library = URL(fileURLWithPath: try Home.commandPath())
            .deletingLastPathComponent().appendingPathComponent("libCWriteTrace.so").path
        guard access(library, R_OK) == 0 else {
            throw RunningCommand.Failure(description: "there is no \(library)")
        }
        return ["LD_PRELOAD": library, "TRACE_FILE": file, "TRACE_PATH": path]
    }

    /// Reads a file of notes.
    init(file: String) throws {
        let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: file)))
        var operations: [Operation] = []
        var offset = 0
        while offset + 25 <= bytes.count {
            let note = Note(bytes, at: offset)
            guard note.end <= bytes.count else { break }
            operations.append(try XCTUnwrap(note.operation(bytes), "note at \(offset)"))
            offset = note.end
        }
        self.operations = operations
    }

    /// The fields of one note, in the byte order of the machine.
    private struct Note {
        let kind: UInt8
        let inode: UInt64
        let offset: Int
        let path: Range<Int>
        let data: Range<Int>

        var end: Int { data.upperBound }

        init(_ bytes: [UInt8], at start: Int) {
            func number<Number: FixedWidthInteger>(_ place: Int) -> Number {
                bytes.withUnsafeBytes {
                    $0.loadUnaligned(fromByteOffset: start + place, as: Number.self)
                }
            }
            kind = bytes[start]
            inode = number(1)
            offset = Int(number(9) as Int64)
            let first = start + 25
            path = first..<(first + Int(number(17) as UInt32))
            data = path.upperBound..<(path.upperBound + Int(number(21) as UInt32))
        }

        func operation(_ bytes: [UInt8]) -> Operation? {
            let path = String(decoding: bytes[path], as: UTF8.self)
            switch kind {
            case UInt8(ascii: "w"):
                return .write(inode: inode, offset: offset, bytes: bytes[data])
            case UInt8(ascii: "t"), UInt8(ascii: "a"):
                let onlyGrows = kind == UInt8(ascii: "a")
                return .resize(inode: inode, size: offset, onlyGrows: onlyGrows)
            case UInt8(ascii: "s"): return .sync(inode: inode)
            case UInt8(ascii: "c"): return .createFile(inode: inode, path: path)
            case UInt8(ascii: "m"): return .createFolder(inode: inode, path: path)
            case UInt8(ascii: "r"):
                return .rename(from: path, to: String(decoding: bytes[data], as: UTF8.self))
            case UInt8(ascii: "u"): return .remove(path: path)
            case UInt8(ascii: "n"): return .send(bytes[data])
            default: return nil
            }
        }
    }
}
