import HealthModel
import Readings

@testable import Exec

/// Decodes a line, and gives a record without an id the one of its start and number.
func decode(_ line: String, types: QuantityTypes = .standard) throws -> ReadingLine {
    try decode(Array(line.utf8), types: types)
}

func decode(_ line: [UInt8], types: QuantityTypes = .standard) throws -> ReadingLine {
    var decoder = ReadingLineDecoder(types: types)
    return try decoder.decode(line[...]) { start, number in
        RecordID.make(start: start, device: "test", stream: "", key: number?.sequence ?? 0)
    }
}
