import Exec
import GatewayHost
import HTTPSink
import HeartRate
import HxM
import Lines
import PulsegateCommand
import SQLiteSink
import StdoutSink

/// The built-in plugins: an import and an entry for each.
let builtIn = Plugins(
    profiles: [HeartRateProfile.factory],
    serialProtocols: [LinesProtocol.factory, HxMProtocol.factory],
    sources: [ExecSource.factory],
    sinks: [SQLiteSink.factory, StdoutSink.factory, HTTPSink.factory, ExecSink.factory])
