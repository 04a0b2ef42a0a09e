#pragma once

// Nothing to call: a program that is linked with this catches SIGINT and SIGTERM before its main.
