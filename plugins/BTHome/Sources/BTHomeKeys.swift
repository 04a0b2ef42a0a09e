import GatewayCore
import JSON

/// The keys of devices that encrypt: 32 hexadecimal digits in a file, for each address.
enum BTHomeKeys {
    /// Reads the places of the keys: `{ "54:48:E6:8F:80:A5": { file: "scale.key" } }`.
    static func secrets(
        _ node: ConfigurationNode, _ context: ComponentContext
    ) throws(ConfigurationError) -> [BluetoothAddress: Secret] {
        var secrets: [BluetoothAddress: Secret] = [:]
        for (key, entry) in try node.entries() {
            guard let address = BluetoothAddress(key) else {
                throw entry.error("`\(key)` is not a Bluetooth address such as 54:48:E6:8F:80:A5")
            }
            secrets[address] = try Secret(entry, context)
        }
        return secrets
    }

    /// Reads a key.
    ///
    /// - Throws: ``ConfigurationError`` with the cause and a remedy, never with the key.
    static func cipher(_ secret: Secret) throws(ConfigurationError) -> AESCCM {
        let digits = Array(try secret.read().text.utf8)
        let bytes = stride(from: 0, to: digits.count - 1, by: 2).compactMap { place in
            UInt8(String(decoding: digits[place..<place + 2], as: UTF8.self), radix: 16)
        }
        guard digits.count == 2 * AESCCM.keyLength, bytes.count == AESCCM.keyLength else {
            throw secret.error("\(secret) must contain a key of 32 hexadecimal digits")
        }
        do {
            return try AESCCM(key: bytes)
        } catch {
            throw secret.error(error.problem)
        }
    }
}
