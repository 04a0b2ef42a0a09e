import ByteDecoding

/// The Battery Level characteristic (Battery Service 1.0, §3.1): one byte, percent.
enum BatteryLevel {
    /// The charge from 0 to 1.
    ///
    /// - Throws: ``ByteDecodingError/truncated`` without a byte, ``ByteDecodingError/invalid`` with
    ///   more than one or over 100 %.
    static func decode(_ value: [UInt8]) throws(ByteDecodingError) -> Double {
        guard let percent = value.first else { throw .truncated }
        guard value.count == 1, percent <= 100 else { throw .invalid }
        return Double(percent) / 100
    }
}
