import CSystemd
import Glibc

extension BusConnection {
    /// The arguments of a message without malformed values and those beyond the limit, which are
    /// counted and reported.
    ///
    /// - Throws: ``BusError/failed(operation:code:)`` for a message that is too large, or of which
    ///   an argument is malformed as a whole.
    func body(of message: OpaquePointer) throws(BusError) -> [BusValue] {
        let object = Self.string(sd_bus_message_get_path(message)) ?? ""
        do {
            return try usableBody(of: message, from: object)
        } catch {
            rejectedMessageCount += 1
            skipped(SkippedValue(sender: object, place: []))
            throw error
        }
    }

    private func usableBody(
        of message: OpaquePointer, from object: String
    ) throws(BusError) -> [BusValue] {
        do {
            let body = try MessageReader.body(of: message)
            leaveOut(body.leftOutCount, from: object)
            return body.values
        } catch .failed(_, EBADMSG) {
            let signature = Self.string(sd_bus_message_get_signature(message, 1)) ?? ""
            let body = try TolerantReader.body(
                of: try MessageBytes.copy(of: message), signature: signature)
            skippedValueCount += body.skippedCount
            leaveOut(body.leftOutCount, from: object)
            for place in body.places { skipped(SkippedValue(sender: object, place: place)) }
            return body.values
        }
    }

    /// Counts elements that were left out; who made a call sees the count with the reply.
    private func leaveOut(_ count: Int, from object: String) {
        leftOutElementCount += count
        if count > 0, !object.isEmpty { skipped(SkippedValue(sender: object, place: [])) }
    }
}
