#pragma once

// Gives SIGINT and SIGTERM their usual effect back, also to one that came already: a command that
// ends by itself wants them to end it.
void cstart_allow_stop_signals(void);

// Waits for SIGINT or SIGTERM; one that came before counts too.
void cstart_wait_for_stop_signal(void);
