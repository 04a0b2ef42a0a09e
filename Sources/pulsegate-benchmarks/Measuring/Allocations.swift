import CBenchmarks

/// Counts what the present thread takes from the heap.
enum Allocations {
    /// How often memory was asked for while `body` ran.
    ///
    /// - Throws: ``BenchmarkError`` when the counter does not see what Swift takes: then it would say 0
    ///   of everything.
    static func count(during body: () -> Void) throws -> Int {
        let before = cbenchmarks_allocations()
        body()
        let count = cbenchmarks_allocations() - before
        try checkCounter()
        return Int(count)
    }

    private static func checkCounter() throws {
        let before = cbenchmarks_allocations()
        blackHole(makeArray(of: 100))
        guard cbenchmarks_allocations() > before else {
            throw BenchmarkError("allocations cannot be counted in this build")
        }
    }

    @inline(never)
    private static func makeArray(of count: Int) -> [Int] { Array(0..<count) }
}

/// Uses a value in a way that the compiler cannot see through, so that it has to be made.
func blackHole<Value>(_ value: Value) {
    withUnsafePointer(to: value) { cbenchmarks_use($0) }
}
