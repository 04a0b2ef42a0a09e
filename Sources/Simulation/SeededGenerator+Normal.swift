import Glibc
import Platform

extension SeededGenerator {
    /// A number of the normal distribution with mean 0 and standard deviation 1 (Box and Muller, 1958).
    mutating func normal() -> Double {
        let radius = (-2 * log(Double.random(in: Double.leastNormalMagnitude..<1, using: &self)))
            .squareRoot()
        return radius * cos(Double.random(in: 0..<(2 * Double.pi), using: &self))
    }
}
