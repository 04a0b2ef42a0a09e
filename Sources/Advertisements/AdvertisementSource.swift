import Bluetooth
public import GatewayCore
import JSON
import Platform

/// Reads Bluetooth Low Energy devices from their advertisements, without connecting to them.
///
/// A device is read by every program that receives it, and uses no slot of the adapter. Only the
/// loss of the bus ends `run`; it waits for bluetoothd, adapters and devices to come back.
public struct AdvertisementSource: Source, SelfChecking {
    let selection: BluetoothSelection
    let formats: [any AdvertisementFormat]
    /// The settings of the formats, for a capture.
    let formatSettings: JSONValue
    let busAddress: String?
    let context: ComponentContext

    /// Checks that the keys of the formats can be read.
    public func check() throws(ConfigurationError) {
        for var format in formats { try format.load() }
    }

    /// Reads the devices until the task is cancelled.
    ///
    /// - Throws: ``LinkError`` when a key cannot be read or the bus is unavailable;
    ///   `CancellationError` on cancellation.
    public func run(into inlet: any ReadingInlet) async throws {
        try Task.checkCancellation()
        await inlet.note(problem: nil)
        let formats = try loadedFormats()
        for address in selection.named.sorted() {
            let device = address.description
            await inlet.report(DeviceReport(device: device, firstState(of: device)))
        }
        let devices = AdvertisedDevices(
            named: selection.named, formats: formats,
            recordedSettings: inlet.recordsTraffic ? formatSettings : nil, context: context)
        let receiver = AdvertisementReceiver<AdvertisedDevices>(
            selection, parts: Set(formats.flatMap(\.parts)), busAddress: busAddress,
            context: context)
        try await receiver.run(devices, into: inlet)
    }

    private func loadedFormats() throws -> [any AdvertisementFormat] {
        var formats = formats
        for index in formats.indices {
            do throws(ConfigurationError) {
                try formats[index].load()
            } catch {
                throw LinkError("\(error)")
            }
        }
        return formats
    }

    private func firstState(of device: String) -> DeviceReport.Content {
        guard context.quarantine.contains(device) else {
            return .link(.wanted, reason: "not received yet")
        }
        let reason = Quarantine.reason(for: device)
        context.log.error("the device is in quarantine", ["device": device, "reason": reason])
        return .link(.quarantined, reason: reason)
    }
}
