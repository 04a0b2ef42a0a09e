package import GatewayCore
import Glibc

/// Reads the log of a gateway that is not running, and changes nothing.
package enum LogInspector {
    /// Reads the last committed ledger; nil when there is no log, or its ledger is damaged.
    package static func ledger(at path: String) -> Ledger? {
        do throws(LogError) {
            let contents = try LogContents(LogFolder(path: path, creating: false))
            return contents.hasLedger && contents.journal != nil ? contents.ledger : nil
        } catch {
            return nil
        }
    }

    /// Reads the ledger as ``ledger(at:)`` does, from the newest segment alone when that is as a run has left it; nil
    /// also when something else is wrong with the log.
    package static func newestLedger(at path: String) -> Ledger? {
        do throws(LogError) {
            let newest = try NewestSegment(LogFolder(path: path, creating: false))
            if let ledger = try newest?.committedLedger() { return ledger }
        } catch {
            // What cannot be read may be another segment.
        }
        guard (try? problems(at: path)) == [] else { return nil }
        return ledger(at: path)
    }

    /// Counts the committed records after a cursor whose lines are wanted; nil when the log cannot be read.
    ///
    /// Damaged ones are left out.
    package static func count(
        at path: String, after cursor: Int64, where isWanted: (ArraySlice<UInt8>) -> Bool
    ) -> Int64? {
        do throws(LogError) {
            let folder = try LogFolder(path: path, creating: false)
            let contents = try LogContents(folder)
            let ends = contents.segments.dropFirst().map(\.place.first) + [contents.end.first]
            var count: Int64 = 0
            for (segment, end) in zip(contents.segments, ends) where end > cursor {
                guard let file = try SegmentFile.open(LogFolder.name(of: segment.name), in: folder)
                else { continue }
                var reader = FrameReader(file, journal: contents.journal, to: segment.used)
                while let item = try reader.next() {
                    // A later segment may have a frame again.
                    guard case .frame(let header, let place) = item, header.place.first < end
                    else { continue }
                    let payload = reader.copy(reader.payload(of: header, at: place))
                    count += Self.count(header, payload, after: cursor, where: isWanted)
                }
            }
            return count
        } catch {
            return nil
        }
    }

    /// Counts the records of a frame.
    private static func count(
        _ header: FrameHeader, _ payload: [UInt8], after cursor: Int64,
        where isWanted: (ArraySlice<UInt8>) -> Bool
    ) -> Int64 {
        guard header.kind == .records, header.end > cursor,
            case .records(_, let lines)? = FrameCoding.content(of: header, payload)
        else { return 0 }
        let first = Int(max(cursor - header.place.first, 0))
        return Int64((first..<max(lines.count, first)).count { isWanted(lines[$0]) })
    }

    /// What is wrong with a log; empty when nothing is, or when there is none.
    ///
    /// - Throws: ``LogError`` when the folder or a segment cannot be read.
    package static func problems(at path: String) throws(LogError) -> [String] {
        do throws(LogError) {
            return try LogContents(LogFolder(path: path, creating: false)).problems
        } catch {
            if case .system(_, ENOENT) = error.problem { return [] }
            throw error
        }
    }
}
