/// The bytes that hexadecimal numbers between spaces stand for: `"06 48"`.
///
/// For test vectors; one that is no byte is a mistake in the test and stops it.
public func bytes(_ hexadecimal: String) -> [UInt8] {
    hexadecimal.split(separator: " ").map { number in
        guard let byte = UInt8(number, radix: 16) else {
            preconditionFailure("`\(number)` is not a byte in hexadecimal digits")
        }
        return byte
    }
}
