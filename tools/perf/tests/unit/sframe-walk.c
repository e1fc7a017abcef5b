// SPDX-License-Identifier: GPL-2.0-only
/*
 * Stacks of three architectures, made at random of addresses of code and of the stack, are walked
 * by .sframe as by .eh_frame of the same file.
 */
#include <elf.h>
#include <fcntl.h>
#include <unistd.h>

#include "../../util/elf/elf-file.h"
#include "../../util/io/mapfile.h"
#include "../../util/unwinder/unwinder.h"
#include "../test.h"

#define BIAS 0x7f0000000000ULL
#define SP 0x7ffd00000000ULL
#define WORDS 256
#define WALKS 20000

struct file {
	char path[128];
	int fd;
	struct unwind_mapping map;
	u64 start, end;  /* of its code in there */
	u64 text, text_end; /* what makes calls: in a PLT, nothing does */
	bool swap;
	const char *arch;
	u8 ip, sp, nr_regs;
};

static void file__open(struct file *f, const char *name)
{
	struct elf_image img;
	Elf_Scn *scn = NULL;
	GElf_Shdr shdr;

	memset(f, 0, sizeof(*f));
	snprintf(f->path, sizeof(f->path), "sframe/%s", name);
	mapfile__init();
	f->fd = open(test__data(f->path), O_RDONLY | O_CLOEXEC);
	TEST_TRUE(f->fd >= 0);
	TEST_EQ(elf_image__open(&img, f->fd), 0);
	for (size_t i = 0; i < img.loads.nr; i++) {
		const struct elf_load *l = &img.loads.v[i];

		if (l->exec)
			f->map = (struct unwind_mapping){
				BIAS + l->vaddr, BIAS + l->vaddr + l->filesz, l->offset, 1,
			};
	}
	f->start = ~0ULL;
	while ((scn = elf_nextscn(img.elf, scn)) != NULL) {
		if (!gelf_getshdr(scn, &shdr) || !(shdr.sh_flags & SHF_EXECINSTR))
			continue;
		f->start = min_of(f->start, BIAS + shdr.sh_addr);
		f->end = max_of(f->end, BIAS + shdr.sh_addr + shdr.sh_size);
	}
	f->swap = elf_image__is_swapped(&img);
	f->arch = img.ehdr.e_machine == EM_X86_64 ? "x86_64" :
		  img.ehdr.e_machine == EM_AARCH64 ? "aarch64" : "s390x";
	f->ip = *f->arch == 'x' ? 8 : *f->arch == 'a' ? 32 : 33;
	f->sp = *f->arch == 'x' ? 7 : *f->arch == 'a' ? 31 : 15;
	f->nr_regs = *f->arch == 'x' ? 24 : *f->arch == 'a' ? 33 : 34;
	TEST_TRUE(elf_image__section(&img, ".text", 0, &shdr));
	f->text = BIAS + shdr.sh_addr;
	f->text_end = f->text + shdr.sh_size;
	elf_image__close(&img);
}

struct way {
	struct unwinder *u;
	struct unwind_space *space;
	u64 ips[32];
	u8 methods[32];
	struct unwind_chain chain;
};

static int open_file(void *ctx, u32 module __unused_arg)
{
	return ((struct file *)ctx)->fd;
}

static void way__init(struct way *w, struct file *f, const char *how)
{
	TEST_EQ(unwinder__by_name(&w->u, how, unwind_arch__parse(f->arch), NULL), 0);
	unwinder__on_open(w->u, open_file, f);
	w->space = unwind_space__new(w->u);
	unwind_space__add(w->space, &f->map);
}

static void way__walk(struct way *w, const struct unwind_regs *regs,
		      const struct unwind_stack *stack)
{
	w->chain = (struct unwind_chain){ .ips = w->ips, .methods = w->methods, .max = 32 };
	unwind__walk(w->space, regs, stack, &w->chain);
}

static void way__print(const struct way *w)
{
	for (u32 i = 0; i < w->chain.nr; i++)
		printf("%#llx %s, ", (unsigned long long)(w->ips[i] - BIAS),
		       unwind_method__name(w->methods[i]));
	printf("%s\n", unwind_stop__name(w->chain.stop));
}

static void way__exit(struct way *w)
{
	unwind_space__free(w->space);
	unwinder__free(w->u);
}

static u64 seed = 88172645463325252ULL;

static u64 random_u64(void)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	return seed ^= seed << 17;
}

/* Mostly an address of code, else one of the stack not far away. */
static u64 random_word(const struct file *f, u64 at)
{
	u64 r = random_u64();

	if (r % 4)
		return f->text + 1 + (r >> 8) % (f->text_end - f->text);
	return (at + (r >> 8) % 256) & ~7ULL;
}

static u32 compare_walks(struct file *f, struct way *sframe, struct way *eh_frame)
{
	u64 words[WORDS];
	struct unwind_stack stack = { .start = SP, .data = (u8 *)words, .size = sizeof(words) };
	struct unwind_regs regs = { .known = BIT_ULL(f->nr_regs) - 1 };
	u32 by_sframe = 0;

	for (u32 i = 0; i < WORDS; i++) {
		words[i] = random_word(f, SP + i * 8);
		if (f->swap)
			words[i] = __builtin_bswap64(words[i]);
	}
	for (u32 i = 0; i < f->nr_regs; i++)
		regs.v[i] = random_word(f, SP);
	regs.v[f->sp] = SP;
	regs.v[f->ip] = f->start + random_u64() % (f->end - f->start);
	way__walk(sframe, &regs, &stack);
	way__walk(eh_frame, &regs, &stack);
	if (sframe->chain.nr != eh_frame->chain.nr || sframe->chain.stop != eh_frame->chain.stop) {
		way__print(sframe);
		way__print(eh_frame);
	}
	TEST_EQ(sframe->chain.nr, eh_frame->chain.nr);
	for (u32 i = 0; i < sframe->chain.nr; i++) {
		TEST_EQ(sframe->ips[i], eh_frame->ips[i]);
		by_sframe += sframe->methods[i] == UNWIND_BY_SFRAME ||
			     sframe->methods[i] == UNWIND_BY_LR;
	}
	TEST_EQ(sframe->chain.stop, eh_frame->chain.stop);
	return by_sframe;
}

TEST_LIMIT(sframe_walk, "sframe: made-up stacks of x86-64, aarch64, s390x as by .eh_frame", 120)
{
	static const char *const names[] = {
		"so_a64_v3.so", "so_s390x_v3.so", "steps_a64_v3", "steps_a64_v3_pac",
		"steps_s390x_v3", "steps_s390x_v3_fp", "steps_x86_v3", "steps_x86_v3_ibt",
		"steps_x86_v3_nopie", "steps_x86_v3_gcc16", "steps_x86_v2", "steps_x86_v1",
		"steps_x86_v2p", "steps_a64_v2p_pac", "steps_s390x_v2p",
		"ok_ld247_v3_x86", "concat_ld244_v3_x86", "concat_lld14_v2_x86",
	};
	const u32 walks = WALKS / test__share(8);
	struct way sframe, eh_frame;

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		struct file f;
		u32 frames = 0;

		file__open(&f, names[i]);
		way__init(&sframe, &f, "sframe,eh_frame,fp");
		way__init(&eh_frame, &f, "eh_frame,fp");
		for (u32 n = 0; n < walks; n++)
			frames += compare_walks(&f, &sframe, &eh_frame);
		printf("%s: %u frames by .sframe\n", names[i], frames);
		TEST_TRUE(frames > walks / 10);
		way__exit(&sframe);
		way__exit(&eh_frame);
		close(f.fd);
	}
}
