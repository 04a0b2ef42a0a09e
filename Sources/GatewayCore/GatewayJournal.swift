// The journal is a part of the contract of sinks: who imports the core has it, without a line for it.
@_exported public import GatewayJournal
