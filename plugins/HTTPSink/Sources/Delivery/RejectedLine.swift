import HealthModel
import JSON

/// A line of the reject file: `{"at":"…","status":422,"response":"…","record":{…}}`.
enum RejectedLine {
    /// - Parameter isRecord: Whether the line is a record; otherwise it is stored as text, `line`.
    static func append(
        _ rejection: BatchDelivery.Rejection, _ line: ArraySlice<UInt8>, isRecord: Bool,
        at now: Instant,
        to bytes: inout [UInt8]
    ) {
        let line = line.last == UInt8(ascii: "\n") ? line.dropLast() : line
        bytes.append("{\"at\":\"")
        now.appendISO8601(to: &bytes)
        bytes.append("\",")
        if let status = rejection.status {
            bytes.append("\"status\":")
            Number.append(Double(status), to: &bytes)
            bytes.append(",")
        }
        bytes.append("\"answer\":")
        bytes.appendJSONString(rejection.response)
        if isRecord {
            bytes.append(",\"record\":")
            bytes.append(contentsOf: line)
        } else {
            bytes.append(",\"line\":")
            bytes.appendJSONString(String(decoding: line, as: UTF8.self))
        }
        bytes.append("}\n")
    }
}
