package import HealthModel
import Readings
package import XML

/// Decodes the `export.xml` of Apple Health piece by piece.
///
/// Memory use does not depend on the length of the file. Every element becomes a record or is
/// counted in ``counts``. A record has the same id whenever the same person's export is read again,
/// also in a later export: it is made from the type, the source, the times and the value.
package struct AppleHealthReader {
    private let reader: XMLReader
    private var maker: AppleRecordMaker
    /// The open elements below the root; nil for one that is left out.
    private var open: [AppleHealthElement?] = []
    private var isInRoot = false
    /// The number of bytes up to the end of the root's opening tag; nil before it.
    package private(set) var headCount: Int?
    private var pending: [Record] = []

    /// Makes a reader of an export that starts with these bytes, at least 64 KiB of them unless the
    /// file is shorter.
    ///
    /// - Parameters:
    ///   - isLast: Whether these are all bytes of the file.
    ///   - person: The person of the records.
    ///   - now: The current time; no record ends more than a day later.
    package init(
        _ bytes: [UInt8], isLast: Bool, person: String?, now: Instant
    ) throws(AppleHealthError) {
        do {
            reader = try XMLReader(bytes, isLast: isLast, isLenient: true)
        } catch {
            throw error == .notXML ? .foreign(ForeignExport(bytes)) : .xml(error)
        }
        maker = AppleRecordMaker(person: person, check: RecordCheck(RecordTimeBounds(at: now)))
    }

    /// What was read so far.
    package var counts: AppleHealthCounts { maker.counts }

    /// The place behind the last element whose record was returned or that was left out, or behind the
    /// root's opening tag; nil before that.
    ///
    /// A reader of the first ``headCount`` bytes alone continues there after ``skip(to:)``.
    package var place: XMLPlace? { reader.place }

    /// Continues at a place in the file, after ``records(limit:)`` has returned nothing.
    package func skip(to place: XMLPlace) { reader.skip(to: place) }

    /// Adds the next piece of the file, after ``records()`` has returned nothing.
    package func append(_ piece: [UInt8], isLast: Bool) {
        reader.append(piece, isLast: isLast)
    }

    /// Takes up to `limit` records from the bytes so far; fewer when they are used up.
    ///
    /// - Throws: when the file is corrupt; the records before that place were returned, or are
    ///   returned by ``takePending()``.
    package mutating func records(limit: Int) throws(AppleHealthError) -> [Record] {
        do throws(XMLError) {
            while pending.count < limit, let token = try reader.next() {
                guard isRootKnown(token) else { break }
                handle(token)
            }
        } catch {
            throw .xml(error)
        }
        if let foreignRoot { throw .foreign(.ofXML(root: foreignRoot)) }
        return takePending()
    }

    /// Takes the records that were read before an error.
    package mutating func takePending() -> [Record] {
        defer { pending.removeAll(keepingCapacity: true) }
        return pending
    }

    private var foreignRoot: String?

    /// Notes the root element; returns false when it is not that of an export.
    private mutating func isRootKnown(_ token: XMLToken) -> Bool {
        guard !isInRoot, case .start(let name, _) = token else { return true }
        if name != "HealthData" { foreignRoot = name }
        return name == "HealthData"
    }

    private mutating func handle(_ token: XMLToken) {
        switch token {
        case .start(let name, let attributes):
            guard isInRoot else {
                isInRoot = true
                headCount = reader.place?.offset
                return
            }
            start(name, attributes)
        case .text: break
        case .end: end()
        }
    }

    private mutating func start(_ name: String, _ attributes: [String: String]) {
        let element = AppleHealthElement(name: name, attributes: attributes)
        guard let parent = open.last else { return open.append(element) }
        let isTaken = parent?.takes(name) ?? false
        // What is in an element that is left out was counted with it.
        if parent != nil, !isTaken { maker.counts.addUnknown(name) }
        open.append(isTaken ? element : nil)
    }

    private mutating func end() {
        guard let closed = open.popLast(), let element = closed else { return }
        guard let parent = open.indices.last else {
            if let record = maker.record(of: element) { pending.append(record) }
            return
        }
        if open[parent]?.add(element) == false { maker.counts.addInvalid(element.name) }
    }
}
