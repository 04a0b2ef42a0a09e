import CBenchmarks

/// Counts heap allocations of the current thread.
enum Allocations {
    /// Returns the number of allocations while `body` ran.
    ///
    /// - Throws: ``BenchmarkError`` when the counter does not detect Swift's allocations and would
    ///   always return 0.
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
            throw BenchmarkError("cannot count allocations in this build")
        }
    }

    @inline(never)
    private static func makeArray(of count: Int) -> [Int] { Array(0..<count) }
}

/// Uses a value in a way that prevents the compiler from optimizing it away.
func blackHole<Value>(_ value: Value) {
    withUnsafePointer(to: value) { cbenchmarks_use($0) }
}
