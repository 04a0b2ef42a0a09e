#pragma once

// Notes what a program writes to files, in its order, to see what a loss of power at any place would
// leave of it.
//
// It has no functions to call. The library is preloaded (LD_PRELOAD, ld.so(8)); without TRACE_FILE it
// does nothing.
//
//   TRACE_FILE    the file that the notes are appended to
//   TRACE_PATH    what the paths of the files begin with
//
// A note is, in the byte order of the machine: 1 byte kind, 8 bytes inode, 8 bytes offset, 4 bytes length
// of a path, 4 bytes length of data, the path, the data.
//
//   w    data was written to a file, at an offset
//   t    the size of a file was set to an offset, or at least to it (a)
//   s    a file or folder was written to the disk
//   c    a file or folder (m) was created at a path
//   r    a path was renamed to another one (the data)
//   u    a path was removed
//   n    data was about to be sent to the network
