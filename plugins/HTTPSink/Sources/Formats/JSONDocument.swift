import GatewayCore
import HealthModel

/// The body of a request with a ``GatewayCore/RecordDocument``.
enum JSONDocument {
    static func body(of lines: RecordLines, types: QuantityTypes) -> RequestBody {
        let document = RecordDocument(lines, types: types)
        return RequestBody(
            bytes: document.bytes, count: lines.count - document.invalid.count,
            invalid: document.invalid)
    }
}
