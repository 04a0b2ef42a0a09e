import GatewayCore
public import Platform

extension SeededGenerator {
    /// The maximum length of a repetition, in bytes.
    private static var longestRun: Int { 20_000 }

    /// True with a probability of one in `count`.
    public mutating func once(in count: Int) -> Bool {
        Int.random(in: 0..<count, using: &self) == 0
    }

    /// Up to `limit` random bytes.
    public mutating func bytes(upTo limit: Int) -> [UInt8] {
        let count = Int.random(in: 0...limit, using: &self)
        return (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &self) }
    }

    /// A random element of a non-empty array.
    public mutating func pick<Value>(_ values: [Value]) -> Value {
        values[Int.random(in: values.indices, using: &self)]
    }

    /// Mutates bytes at a position: changes, removes, inserts or repeats some, or cuts off the
    /// rest.
    ///
    /// - Parameter words: Tokens of the format to insert; must not be empty.
    public mutating func mutate(_ bytes: inout [UInt8], words: [[UInt8]]) {
        let position = Int.random(in: 0...bytes.count, using: &self)
        let end = min(position + Int.random(in: 1...40, using: &self), bytes.count)
        switch Int.random(in: 0..<16, using: &self) {
        case 0...2 where position < bytes.count:
            bytes[position] ^= 1 << UInt8.random(in: 0..<8, using: &self)
        case 3...4 where position < bytes.count:
            bytes[position] = UInt8.random(in: .min ... .max, using: &self)
        case 5, 6: bytes.removeSubrange(position..<end)
        case 7...10: bytes.insert(contentsOf: pick(words), at: position)
        case 11: bytes.replaceSubrange(position..<end, with: pick(words))
        case 12, 13:
            let other = Int.random(in: 0...bytes.count, using: &self)
            bytes.insert(contentsOf: Array(bytes[position..<end]), at: other)
        case 14 where once(in: 8):
            let piece = Bool.random(using: &self) ? pick(words) : Array(bytes[position..<end])
            let count = Int.random(in: 1...Self.longestRun, using: &self) / max(piece.count, 1)
            let run = Array(repeatElement(piece, count: count).joined())
            bytes.insert(contentsOf: run, at: position)
        case 15: bytes.removeSubrange(position...)
        default: bytes.insert(UInt8.random(in: .min ... .max, using: &self), at: position)
        }
    }
}
