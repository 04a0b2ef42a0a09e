import Glibc
import Platform

/// A generator of realistic heartbeats with phases of rest and effort.
///
/// The mean rate slowly follows the phases. Respiratory sinus arrhythmia, which decreases during effort,
/// noise and rare ectopic beats with a compensatory pause are added. The same seed gives the same
/// beats. With a ``HeartRateCurve`` the beats follow it exactly, without any variation.
public struct SimulatedHeart: Sendable {
    private static let restRates = 60.0...75.0
    private static let effortRates = 85.0...140.0
    private static let phaseSeconds = 120.0...300.0
    /// The time constant with which the mean rate approaches the rate of a phase.
    private static let settlingSeconds = 45.0
    private static let breathsPerSecond = 0.2...0.3
    /// The relative amplitude of respiratory sinus arrhythmia at rest.
    private static let breathingDepth = 0.045
    private static let noiseDepth = 0.012
    private static let ectopicProbability = 0.001
    private static let ectopicFraction = 0.65

    /// The time of the last beat, in seconds since the start.
    public private(set) var elapsedSeconds = 0.0

    private let curve: HeartRateCurve?
    private var generator: SeededGenerator
    private var meanRate: Double
    private var phaseRate: Double
    private var isEffort = false
    private var phaseEndSeconds: Double
    private var breathingRate: Double
    private var breathingPhase = 0.0
    private var compensatoryPause: Double?

    /// Makes a heart at rest, or one that follows a curve.
    public init(seed: UInt64, curve: HeartRateCurve? = nil) {
        self.curve = curve
        var generator = SeededGenerator(seed: seed)
        meanRate = Double.random(in: Self.restRates, using: &generator)
        phaseRate = meanRate
        phaseEndSeconds = Double.random(in: Self.phaseSeconds, using: &generator)
        breathingRate = Double.random(in: Self.breathsPerSecond, using: &generator)
        self.generator = generator
    }

    /// Advances to the next beat and returns the interval in seconds.
    public mutating func nextInterval() -> Double {
        if let curve {
            let interval = 60 / curve.rate(at: elapsedSeconds)
            elapsedSeconds += interval
            return interval
        }
        let interval = compensatoryPause.take() ?? sinusInterval()
        elapsedSeconds += interval
        breathingPhase += 2 * Double.pi * breathingRate * interval
        settle(over: interval)
        return interval
    }

    /// A regular interval, or one shortened by an ectopic beat.
    private mutating func sinusInterval() -> Double {
        let mean = 60 / meanRate
        let restfulness = min(1, Self.restRates.lowerBound / meanRate)
        let breathing = Self.breathingDepth * restfulness * restfulness * sin(breathingPhase)
        let noise = Self.noiseDepth * restfulness * min(max(generator.normal(), -3), 3)
        guard Double.random(in: 0..<1, using: &generator) < Self.ectopicProbability else {
            return mean * (1 + breathing + noise)
        }
        compensatoryPause = mean * (2 - Self.ectopicFraction)
        return mean * Self.ectopicFraction
    }

    /// Moves the mean rate towards that of the phase, and starts the next phase when it is due.
    private mutating func settle(over seconds: Double) {
        meanRate += (phaseRate - meanRate) * (1 - exp(-seconds / Self.settlingSeconds))
        let breathingDrift = 0.01 * generator.normal() * seconds.squareRoot()
        breathingRate = min(
            max(breathingRate + breathingDrift, Self.breathsPerSecond.lowerBound),
            Self.breathsPerSecond.upperBound)
        guard elapsedSeconds >= phaseEndSeconds else { return }
        isEffort.toggle()
        phaseRate = Double.random(
            in: isEffort ? Self.effortRates : Self.restRates, using: &generator)
        phaseEndSeconds = elapsedSeconds + Double.random(in: Self.phaseSeconds, using: &generator)
    }
}
