#pragma once

// Gives SIGINT and SIGTERM back to this thread; a command that ends by itself wants them to end it.
void cstart_allow_stop_signals(void);

// Waits for SIGINT or SIGTERM and returns its number.
int cstart_wait_for_stop_signal(void);
