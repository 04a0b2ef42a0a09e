// The files of a gateway are a part of its host: who imports the host has them, without a line for them.
@_exported public import HostFiles
