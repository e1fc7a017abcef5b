/* SPDX-License-Identifier: GPL-2.0-only */
/* Messages between processes of this program, perhaps with a descriptor: unix(7), SCM_RIGHTS. */
#ifndef PERF_IO_PARCEL_H
#define PERF_IO_PARCEL_H

#include "../../../lib/unwind/core/types.h"

/*
 * Sends a message, whatever signals are handled meanwhile.
 * @socket: of SOCK_SEQPACKET
 * @bytes, @len: the message
 * @fd: passed along, and still the caller's; -1: none
 * Returns: false when it cannot be sent.
 */
bool parcel__send(int socket, const void *bytes, size_t len, int fd);

/*
 * Waits for a message, whatever signals are handled meanwhile.
 * @socket: as above
 * @bytes, @len: filled
 * @fd: out: a descriptor, the caller's, also when the size is wrong; -1: none was passed
 * Returns: false when none came, or one of another size.
 */
bool parcel__receive(int socket, void *bytes, size_t len, int *fd);

#endif
