// Opening files. Where that waits, for a pipe's other end or a file server, a signal may interrupt
// it.
#ifndef TML_RUNTIME_FILE_OPEN_FILE_H
#define TML_RUNTIME_FILE_OPEN_FILE_H

// open() with O_CLOEXEC and the mode 0666, again and again when interrupted. -1 with errno.
int tml_open(const char *path, int flags);
// Where a standard stream is closed, the next file to be opened would take its place, and with it
// what the stream is meant for, such as messages. From now on nothing does; using the stream fails
// as before.
void tml_hold_standard_streams(void);

#endif
