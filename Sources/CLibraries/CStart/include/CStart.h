#pragma once

// SIGINT and SIGTERM are caught from the program's first instruction on.

// Lets both end the process again; a command that has nothing to save wants that.
void cstart_allow_stop_signals(void);

// Waits for the next SIGINT or SIGTERM, or returns at once for one that came before.
void cstart_wait_for_stop_signal(void);
