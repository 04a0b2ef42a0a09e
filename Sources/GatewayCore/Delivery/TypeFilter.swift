import HealthModel

/// Picks lines of JSON by the type of their record, mostly without reading them.
///
/// The lines of the journal are written by ``RecordEncoder``: a sample begins with its id, which has 36
/// characters, and its type. A line that does not, as that of another kind of record, is read as a whole.
struct TypeFilter {
    private static let start = Array("{\"id\":\"".utf8)
    private static let middle = Array("\",\"type\":\"".utf8)
    private static let event = Array("{\"kind\":\"event\",".utf8)
    private static let idLength = 36

    private let types: Set<RecordType>
    private let names: [[UInt8]]

    init(_ types: Set<RecordType>) {
        self.types = types
        names = types.map { Array($0.name.utf8) }
    }

    /// Whether the line is wanted; nil when it is no record.
    func isWanted(_ line: ArraySlice<UInt8>, _ decoder: inout RecordDecoder) -> Bool? {
        if line.starts(with: Self.event) { return false }
        if let name = Self.typeName(line) { return names.contains { $0.elementsEqual(name) } }
        guard let record = try? decoder.decode(line) else { return nil }
        return record.type.map(types.contains) ?? false
    }

    /// The name of the type where it usually stands; nil when that is not certain.
    private static func typeName(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        let name = line.dropFirst(start.count + idLength + middle.count)
        guard line.starts(with: start),
            line.dropFirst(start.count + idLength).starts(with: middle),
            let end = name.firstIndex(of: UInt8(ascii: "\""))
        else { return nil }
        return name[..<end].contains(UInt8(ascii: "\\")) ? nil : name[..<end]
    }
}
