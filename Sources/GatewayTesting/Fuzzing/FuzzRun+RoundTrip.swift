extension FuzzRun {
    /// Damages a text at random: what can be read is written and read again as the same value.
    ///
    /// - Parameters:
    ///   - inputs: The number of damaged texts by default.
    ///   - words: The bytes that damage inserts.
    /// - Returns: The findings; one of them is that no text could be read.
    public static func roundTrips<Value: Equatable>(
        _ name: String, inputs: Int, of text: String, words: [[UInt8]], read: (String) -> Value?,
        write: (Value) -> String
    ) -> [String] {
        var run = FuzzRun(name, inputs: inputs)
        var count = 0
        while var random = run.next() {
            var bytes = Array(text.utf8)
            for _ in 0..<random.pick([0, 1, 2, 6]) { random.mutate(&bytes, words: words) }
            guard let value = read(String(decoding: bytes, as: UTF8.self)) else { continue }
            count += 1
            run.expect(read(write(value)) == value, "reads \(write(value))")
        }
        return run.finish() + (count > 0 ? [] : ["no text could be read"])
    }
}
