// SPDX-License-Identifier: GPL-2.0-only
/*
 * .gnu_debugdata: a small ELF file with only a .symtab, compressed with xz, in the binary itself.
 * Fedora's stripped binaries, and those of related distributions, have one for the names of their
 * static functions.
 */
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "../../../lib/unwind/core/budget.h"
#include "../io/write-all.h"
#include "binary.h"

#ifdef HAVE_LZMA_SUPPORT
#include <lzma.h>

#define MAX_UNPACKED (256u << 20) /* a few bytes of xz can claim to be anything */
#define MAX_MEMORY (128u << 20)   /* of the decoder; xz -9 needs 65 MB */

#define PIECE (1 << 16)

static int unpack(lzma_stream *xz, int fd, struct budget *memory, u64 *taken)
{
	static const lzma_action finish = LZMA_FINISH;
	u8 *buf = xmalloc(PIECE);
	lzma_ret ret = LZMA_OK;
	int err = 0;

	while (!err && ret == LZMA_OK) {
		if (!budget__take(memory, PIECE)) {
			err = -ENOMEM;
			break;
		}
		*taken += PIECE;
		xz->next_out = buf;
		xz->avail_out = PIECE;
		ret = lzma_code(xz, finish);
		err = write_all(fd, buf, PIECE - xz->avail_out, NULL);
		if (xz->total_out > MAX_UNPACKED)
			err = -EFBIG;
	}
	free(buf);
	return err ? err : ret == LZMA_STREAM_END ? 0 : -EBADMSG;
}

int binary__open_mini_debug(const struct elf_image *img, struct budget *memory, u64 *taken)
{
	lzma_stream xz = LZMA_STREAM_INIT;
	GElf_Shdr shdr;
	struct bytes packed;
	u64 before = *taken;
	int fd, err;

	if (!elf_image__section(img, ".gnu_debugdata", 0, &shdr))
		return -ENOENT;
	packed = elf_image__bytes(img, &shdr);
	fd = memfd_create(".gnu_debugdata", MFD_CLOEXEC);
	if (fd < 0)
		return -errno;
	xz.next_in = packed.data;
	xz.avail_in = packed.len;
	err = lzma_stream_decoder(&xz, MAX_MEMORY, 0) == LZMA_OK ? unpack(&xz, fd, memory, taken) :
								-EINVAL;
	lzma_end(&xz);
	if (!err)
		return fd;
	close(fd);
	budget__give_back(memory, *taken - before);
	*taken = before;
	return err;
}
#else
int binary__open_mini_debug(const struct elf_image *img __unused_arg,
			    struct budget *memory __unused_arg, u64 *taken __unused_arg)
{
	return -ENOENT;
}
#endif
