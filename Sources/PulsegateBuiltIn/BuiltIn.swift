import Alerts
import BTHome
import BloodPressure
import BodyComposition
import CyclingPower
import CyclingSpeed
import Exec
import FitnessMachine
public import GatewayHost
import HTTPSink
import HealthThermometer
import HeartRate
import HxM
import InfiniTime
import Lines
import PolarBroadcast
import PolarMeasurement
import PulseOximeter
import Rebroadcast
import RunningSpeed
import SQLiteSink
import Simulator
import StdoutSink
import Web
import WeightScale

/// The built-in plugins: an import and an entry for each.
///
/// A package outside the tree copies the list, appends its own, and gives it to its command.
public let builtIn = Plugins(
    profiles: [
        HeartRateProfile.factory, ExecProfile.factory, HealthThermometerProfile.factory,
        BloodPressureProfile.factory, PulseOximeterProfile.factory, WeightScaleProfile.factory,
        BodyCompositionProfile.factory, InfiniTimeProfile.factory, RunningSpeedProfile.factory,
        CyclingSpeedProfile.factory, CyclingPowerProfile.factory,
        FitnessMachineProfile.factory, PolarMeasurementProfile.factory,
    ],
    serialProtocols: [LinesProtocol.factory, HxMProtocol.factory, ExecProtocol.factory],
    advertisements: [BTHomeFormat.factory, PolarBroadcastFormat.factory],
    sources: [ExecSource.factory],
    deviceSources: [SimulatorSource.factory(profiles:serialProtocols:)],
    sinks: [SQLiteSink.factory, StdoutSink.factory, HTTPSink.factory, ExecSink.factory],
    services: [Alerts.factory, Rebroadcast.factory, WebServer.factory],
    types: [])
