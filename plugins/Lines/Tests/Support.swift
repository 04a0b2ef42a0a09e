import GatewayCore
import HealthModel
import Platform
import Readings

@testable import Lines

extension DeviceAdapter {
    /// Passes a text as one piece.
    mutating func take(_ text: String) -> [AdapterAction] {
        take(Array(text.utf8))
    }

    mutating func take(_ bytes: [UInt8]) -> [AdapterAction] {
        handle(AdapterEvent(.received(bytes, on: .stream), at: BootInstant(nanoseconds: 1)))
    }

    /// Opens the link.
    mutating func open() -> [AdapterAction] {
        handle(AdapterEvent(.opened, at: BootInstant(nanoseconds: 0)))
    }
}

/// A reading of steps.
func steps(
    _ count: Double, _ range: CounterReading.Range = .unbounded
) -> AdapterAction {
    .reading(.counter(CounterReading(.stepCount, value: count, range: range, unit: .count)))
}

/// A reading of a distance, in millionths of a unit.
func distance(_ millionths: Double, _ unit: Unit = .meter) -> AdapterAction {
    .reading(
        .counter(
            CounterReading(
                .distanceWalkingRunning, value: millionths, unit: unit, countsPerUnit: 1_000_000)))
}

/// An adapter of a preset, opened and after the discarded first line.
func makeAdapter(_ name: String) throws -> any DeviceAdapter {
    let preset = try preset(name)
    var adapter = try LinesProtocol(preset: preset).makeAdapter()
    _ = adapter.open()
    if preset.terminator == .semicolon { _ = adapter.take(";") }
    return adapter
}

struct NoSuchPreset: Error {}

func preset(_ name: String) throws -> LinePreset {
    guard let preset = LinePreset.table.first(where: { $0.name == name }) else {
        throw NoSuchPreset()
    }
    return preset
}
