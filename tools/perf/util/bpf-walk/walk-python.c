// SPDX-License-Identifier: GPL-2.0-only
#include "walk-python.h"

#include "../../../lib/perf-agent/python-offsets.h"

/*
 * The thread's own structures do not change while it is interrupted, but may be half made. Those of
 * other threads may change or be freed. Each load may fail, and then ends what is read; names are
 * given to what says that it is a code object, and is the same later (runtime/python.c).
 */

#define WINDOW_MASK (WALK_WINDOW - 1)
#define WINDOW 1024     /* bytes of frames that are read at a time */
#define STACK_MAX 0x10000000 /* bytes above SP where calls may be */
#define STATE_MASK 255 /* of places in what is read */
_Static_assert(STATE_MASK + 1 >= PYTHON_STATE_SIZE, "all of it is reached");
_Static_assert(PYTHON_CODE_SIZE <= PYTHON_STATE_SIZE, "its bytes have room");
_Static_assert(WINDOW + PYTHON_FRAME_SIZE <= WALK_STACK_PAGE, "behind it is room for a call");

/* Reads @size bytes of user memory at r3 to @to of the scratch; goes to @failed if it cannot. */
static void read_user(struct generator *g, s16 to, u32 size, int failed)
{
	struct bpf_asm *a = &g->a;

	bpf_asm__alu(a, BPF_MOV, BPF_REG_1, SCRATCH);
	bpf_asm__alu_imm(a, BPF_ADD, BPF_REG_1, to);
	bpf_asm__alu_imm(a, BPF_MOV, BPF_REG_2, size);
	bpf_asm__call(a, BPF_FUNC_probe_read_user);
	bpf_asm__jump(a, BPF_JNE, BPF_REG_0, 0, failed);
}

/* @dst = the word of the state that was read, whose place is at @at of the scratch. */
static void load_of_state(struct generator *g, u8 dst, s16 at)
{
	load(g, dst, at);
	bpf_asm__alu_imm(&g->a, BPF_AND, dst, STATE_MASK);
	bpf_asm__alu(&g->a, BPF_ADD, dst, SCRATCH);
	bpf_asm__load(&g->a, BPF_DW, dst, dst, AT(python));
}

/* bpf_loop() of the function at @label, @nr times at most. */
static void loop(struct generator *g, s32 nr, int label)
{
	struct bpf_asm *a = &g->a;

	bpf_asm__alu_imm(a, BPF_MOV, BPF_REG_1, nr);
	bpf_asm__function(a, BPF_REG_2, label);
	bpf_asm__alu(a, BPF_MOV, BPF_REG_3, BPF_REG_10);
	bpf_asm__alu_imm(a, BPF_ADD, BPF_REG_3, POINTER);
	bpf_asm__alu_imm(a, BPF_MOV, BPF_REG_4, 0);
	bpf_asm__call(a, BPF_FUNC_loop);
}

/*
 * What is known of the process, if it is this program: goes to @none if not. Most run no Python,
 * and are not looked for.
 */
static void find_layout(struct generator *g, int none)
{
	struct bpf_asm *a = &g->a;

	look_up(g, g->p->control, ZERO, none);
	bpf_asm__load(a, BPF_W, BPF_REG_1, BPF_REG_10, KEY);
	bpf_asm__alu_imm(a, BPF_AND, BPF_REG_1, WALK_PYTHONS - 1);
	bpf_asm__alu(a, BPF_ADD, BPF_REG_0, BPF_REG_1);
	bpf_asm__load(a, BPF_B, BPF_REG_1, BPF_REG_0, offsetof(struct walk_control, pythons));
	bpf_asm__jump(a, BPF_JEQ, BPF_REG_1, 0, none);
	look_up(g, g->p->python, KEY, none);
	bpf_asm__load(a, BPF_DW, BPF_REG_1, BPF_REG_0, offsetof(struct walk_python, start));
	load(g, BPF_REG_2, AT(out.note.start));
	bpf_asm__jump_reg(a, BPF_JNE, BPF_REG_1, BPF_REG_2, none);
	bpf_asm__load(a, BPF_DW, BPF_REG_1, BPF_REG_0, offsetof(struct walk_python, nr_exec));
	load(g, BPF_REG_2, AT(out.note.nr_exec));
	bpf_asm__jump_reg(a, BPF_JNE, BPF_REG_1, BPF_REG_2, none);
	for (u32 at = 0; at < sizeof(struct python_layout); at += sizeof(u64)) {
		bpf_asm__load(a, BPF_DW, BPF_REG_1, BPF_REG_0,
			      offsetof(struct walk_python, at) + at);
		store(g, AT(at) + at, BPF_REG_1);
	}
}

/* r9 = the place of the thread in the table of states. */
static void find_state_place(struct generator *g)
{
	struct bpf_asm *a = &g->a;

	load(g, BPF_REG_9, AT(thread_id));
	bpf_asm__alu_imm(a, BPF_AND, BPF_REG_9, WALK_STATES - 1);
	bpf_asm__alu_imm(a, BPF_MUL, BPF_REG_9, sizeof(struct walk_state));
	bpf_asm__alu(a, BPF_ADD, BPF_REG_9, SCRATCH);
	bpf_asm__alu_imm(a, BPF_ADD, BPF_REG_9, offsetof(struct walk_scratch, states));
}

/*
 * Finds the state of the thread, and in it what has its frames: .frame. The place where it was last
 * is looked at first: what is there may be freed, but has the thread's frames or none, since the
 * places of these calls have to be on its stack.
 */
static void find_state(struct generator *g, int none)
{
	struct bpf_asm *a = &g->a;
	int search = bpf_asm__label(a), found = bpf_asm__label(a);

	bpf_asm__call(a, BPF_FUNC_get_current_pid_tgid);
	store(g, AT(thread_id), BPF_REG_0);
	find_state_place(g);
	bpf_asm__load(a, BPF_DW, BPF_REG_1, BPF_REG_9, offsetof(struct walk_state, thread));
	load(g, BPF_REG_2, AT(thread_id));
	bpf_asm__jump_reg(a, BPF_JNE, BPF_REG_1, BPF_REG_2, search);
	bpf_asm__load(a, BPF_DW, BPF_REG_1, BPF_REG_9, offsetof(struct walk_state, state));
	store(g, AT(state), BPF_REG_1);
	loop(g, 1, g->state_step);
	load(g, BPF_REG_1, AT(frame));
	bpf_asm__jump(a, BPF_JNE, BPF_REG_1, 0, found);
	bpf_asm__place(a, search);
	load(g, BPF_REG_3, AT(at.threads));
	read_user(g, AT(state), sizeof(u64), none);
	loop(g, PYTHON_STATES_MAX, g->state_step);
	load(g, BPF_REG_1, AT(frame));
	bpf_asm__jump(a, BPF_JEQ, BPF_REG_1, 0, none);
	find_state_place(g);
	load(g, BPF_REG_1, AT(thread_id));
	bpf_asm__store(a, BPF_DW, BPF_REG_9, offsetof(struct walk_state, thread), BPF_REG_1);
	load(g, BPF_REG_1, AT(state));
	bpf_asm__store(a, BPF_DW, BPF_REG_9, offsetof(struct walk_state, state), BPF_REG_1);
	bpf_asm__place(a, found);
}

void walk_python__read(struct generator *g)
{
	struct bpf_asm *a = &g->a;
	int none = bpf_asm__label(a), frame = bpf_asm__label(a);
	static const s16 zero[] = {
		AT(frame), AT(cframe), AT(frames_size), AT(nr_calls), AT(nr_functions), AT(placed),
	};

	find_layout(g, none);
	for (size_t i = 0; i < ARRAY_SIZE(zero); i++)
		store_imm(g, zero[i], 0);
	bpf_asm__load(a, BPF_DW, BPF_REG_1, TASK, g->fsbase.offset);
	store(g, AT(thread), BPF_REG_1);
	find_state(g, none);
	load(g, BPF_REG_3, AT(frame));
	bpf_asm__jump(a, BPF_JEQ, BPF_REG_3, 0, none);
	load(g, BPF_REG_1, AT(at.has_cframe));
	bpf_asm__jump(a, BPF_JEQ, BPF_REG_1, 0, frame);
	store(g, AT(cframe), BPF_REG_3);
	load(g, BPF_REG_1, AT(at.cframe_current));
	bpf_asm__alu(a, BPF_ADD, BPF_REG_3, BPF_REG_1);
	read_user(g, AT(frame), sizeof(u64), none);
	bpf_asm__place(a, frame);
	loop(g, PYTHON_FRAMES_MAX + PYTHON_CALLS_MAX, g->frame_step);
	load(g, BPF_REG_1, AT(nr_calls));
	bpf_asm__jump(a, BPF_JEQ, BPF_REG_1, 0, none);
	bpf_asm__store(a, BPF_H, SCRATCH, AT(out.note.nr_calls), BPF_REG_1);
	load(g, BPF_REG_1, AT(nr_functions));
	bpf_asm__store(a, BPF_H, SCRATCH, AT(out.note.nr_functions), BPF_REG_1);
	bpf_asm__alu(a, BPF_MOV, BPF_REG_1, SCRATCH);
	bpf_asm__alu_imm(a, BPF_ADD, BPF_REG_1,
			 offsetof(struct walk_scratch, calls[PYTHON_CALLS_MAX - 1]));
	bpf_asm__load(a, BPF_DW, BPF_REG_1, BPF_REG_1, 0);
	store(g, AT(next_call), BPF_REG_1);
	bpf_asm__place(a, none);
}

/* Ends when the state is the thread's, with what has its frames in .frame. */
static void append_state_step(struct generator *g)
{
	struct bpf_asm *a = &g->a;
	int end = bpf_asm__label(a), other = bpf_asm__label(a);

	bpf_asm__place_function(a, g->state_step);
	bpf_asm__load(a, BPF_DW, SCRATCH, BPF_REG_2, 0);
	load(g, BPF_REG_3, AT(state));
	bpf_asm__jump(a, BPF_JEQ, BPF_REG_3, 0, end);
	read_user(g, AT(python), PYTHON_STATE_SIZE, end);
	load_of_state(g, BPF_REG_1, AT(at.thread));
	load(g, BPF_REG_2, AT(thread));
	bpf_asm__jump_reg(a, BPF_JNE, BPF_REG_1, BPF_REG_2, other);
	load_of_state(g, BPF_REG_1, AT(at.current));
	store(g, AT(frame), BPF_REG_1);
	bpf_asm__place(a, end);
	bpf_asm__exit(a, 1);
	bpf_asm__place(a, other);
	load(g, BPF_REG_1, AT(python) + PYTHON_STATE_NEXT);
	store(g, AT(state), BPF_REG_1);
	bpf_asm__exit(a, 0);
}

/* r9 = the frame at r8, which may be that of a call, on the C stack, less AT(buf). */
static void read_call(struct generator *g, int other, int found, int failed)
{
	struct bpf_asm *a = &g->a;

	bpf_asm__alu(a, BPF_MOV, BPF_REG_1, BPF_REG_8);
	load(g, BPF_REG_2, AT(regs.sp));
	bpf_asm__alu(a, BPF_SUB, BPF_REG_1, BPF_REG_2);
	bpf_asm__jump(a, BPF_JGT, BPF_REG_1, STACK_MAX, other);
	bpf_asm__alu(a, BPF_MOV, BPF_REG_3, BPF_REG_8);
	read_user(g, AT(buf) + WALK_STACK_PAGE, PYTHON_FRAME_SIZE, failed);
	bpf_asm__alu(a, BPF_MOV, BPF_REG_9, SCRATCH);
	bpf_asm__alu_imm(a, BPF_ADD, BPF_REG_9, WALK_STACK_PAGE);
	bpf_asm__goto(a, found);
}

/*
 * r9 = the frame at r8, less AT(buf). Those of functions lie together, callers below: so what lies
 * below in the page is read, too.
 */
static void find_frame(struct generator *g, int failed)
{
	struct bpf_asm *a = &g->a;
	int move = bpf_asm__label(a), fits = bpf_asm__label(a), found = bpf_asm__label(a);
	int within = bpf_asm__label(a), function = bpf_asm__label(a);

	read_call(g, function, found, failed);
	bpf_asm__place(a, function);
	bpf_asm__alu(a, BPF_MOV, BPF_REG_9, BPF_REG_8);
	load(g, BPF_REG_1, AT(frames));
	bpf_asm__alu(a, BPF_SUB, BPF_REG_9, BPF_REG_1);
	bpf_asm__jump(a, BPF_JGT, BPF_REG_9, WINDOW, move);
	bpf_asm__alu(a, BPF_MOV, BPF_REG_1, BPF_REG_9);
	bpf_asm__alu_imm(a, BPF_ADD, BPF_REG_1, PYTHON_FRAME_SIZE);
	load(g, BPF_REG_2, AT(frames_size));
	bpf_asm__jump_reg(a, BPF_JLE, BPF_REG_1, BPF_REG_2, within);
	bpf_asm__place(a, move);
	/* r9 = how much lies below in the page, at most so that all fits into the window. */
	bpf_asm__alu(a, BPF_MOV, BPF_REG_9, BPF_REG_8);
	bpf_asm__alu_imm(a, BPF_AND, BPF_REG_9, WALK_STACK_PAGE - 1);
	bpf_asm__jump(a, BPF_JLE, BPF_REG_9, WINDOW - PYTHON_FRAME_SIZE, fits);
	bpf_asm__alu_imm(a, BPF_MOV, BPF_REG_9, WINDOW - PYTHON_FRAME_SIZE);
	bpf_asm__place(a, fits);
	bpf_asm__alu(a, BPF_MOV, BPF_REG_3, BPF_REG_8);
	bpf_asm__alu(a, BPF_SUB, BPF_REG_3, BPF_REG_9);
	store(g, AT(frames), BPF_REG_3);
	bpf_asm__alu(a, BPF_MOV, BPF_REG_2, BPF_REG_9);
	bpf_asm__alu_imm(a, BPF_ADD, BPF_REG_2, PYTHON_FRAME_SIZE);
	store(g, AT(frames_size), BPF_REG_2);
	bpf_asm__alu(a, BPF_MOV, BPF_REG_1, SCRATCH);
	bpf_asm__alu_imm(a, BPF_ADD, BPF_REG_1, AT(buf));
	bpf_asm__call(a, BPF_FUNC_probe_read_user);
	bpf_asm__jump(a, BPF_JNE, BPF_REG_0, 0, failed);
	bpf_asm__place(a, within);
	bpf_asm__alu_imm(a, BPF_AND, BPF_REG_9, WINDOW_MASK);
	bpf_asm__alu(a, BPF_ADD, BPF_REG_9, SCRATCH);
	bpf_asm__place(a, found);
}

/* @dst = the field of the frame at r9, of BPF_DW or BPF_B, whose place is at @at of the scratch. */
static void load_of_frame(struct generator *g, u8 size, u8 dst, s16 at)
{
	load(g, dst, at);
	bpf_asm__alu_imm(&g->a, BPF_AND, dst, STATE_MASK);
	bpf_asm__alu(&g->a, BPF_ADD, dst, BPF_REG_9);
	bpf_asm__load(&g->a, size, dst, dst, AT(buf));
}

/* r0 = where function number @nr is, a register that is lost. */
static void find_function(struct generator *g, u8 nr)
{
	struct bpf_asm *a = &g->a;

	bpf_asm__alu_imm(a, BPF_AND, nr, PYTHON_FRAMES_MAX - 1);
	bpf_asm__alu_imm(a, BPF_MUL, nr, sizeof(struct python_frame));
	bpf_asm__alu(a, BPF_MOV, BPF_REG_0, SCRATCH);
	bpf_asm__alu_imm(a, BPF_ADD, BPF_REG_0, offsetof(struct walk_scratch, functions));
	bpf_asm__alu(a, BPF_ADD, BPF_REG_0, nr);
}

/* The call at r6 has run the functions since the last one. There are some, or it is left out. */
static void add_call(struct generator *g, int end)
{
	struct bpf_asm *a = &g->a;
	int none = bpf_asm__label(a);

	load(g, BPF_REG_1, AT(nr_functions));
	bpf_asm__jump(a, BPF_JEQ, BPF_REG_1, 0, none);
	bpf_asm__alu_imm(a, BPF_SUB, BPF_REG_1, 1);
	find_function(g, BPF_REG_1);
	bpf_asm__load(a, BPF_DW, BPF_REG_1, BPF_REG_0, 0);
	bpf_asm__jump(a, BPF_JSET, BPF_REG_1, 1, none);
	load(g, BPF_REG_2, AT(nr_calls));
	bpf_asm__jump(a, BPF_JGE, BPF_REG_2, PYTHON_CALLS_MAX, end);
	bpf_asm__alu_imm(a, BPF_OR, BPF_REG_1, 1);
	bpf_asm__store(a, BPF_DW, BPF_REG_0, 0, BPF_REG_1);
	bpf_asm__alu_imm(a, BPF_ADD, BPF_REG_2, 1);
	store(g, AT(nr_calls), BPF_REG_2);
	bpf_asm__alu_imm(a, BPF_MUL, BPF_REG_2, -1);
	bpf_asm__alu_imm(a, BPF_AND, BPF_REG_2, PYTHON_CALLS_MAX - 1);
	bpf_asm__alu_imm(a, BPF_LSH, BPF_REG_2, 3);
	bpf_asm__alu(a, BPF_ADD, BPF_REG_2, SCRATCH);
	bpf_asm__alu_imm(a, BPF_ADD, BPF_REG_2, offsetof(struct walk_scratch, calls));
	bpf_asm__store(a, BPF_DW, BPF_REG_2, 0, BPF_REG_6);
	bpf_asm__place(a, none);
}

/* r1 = r1 with the word @src, as python_print__add(). @src and r2 are lost. */
static void add_print(struct generator *g, u8 src)
{
	struct bpf_asm *a = &g->a;

	bpf_asm__alu(a, BPF_XOR, BPF_REG_1, src);
	bpf_asm__alu(a, BPF_MOV, BPF_REG_2, BPF_REG_1);
	bpf_asm__alu_imm(a, BPF_MUL, BPF_REG_1, PYTHON_PRINT_FACTOR);
	bpf_asm__alu_imm(a, BPF_RSH, BPF_REG_2, 29);
	bpf_asm__alu(a, BPF_XOR, BPF_REG_1, BPF_REG_2);
}

static void add_words(struct generator *g, const s16 *words, size_t nr, s16 at)
{
	for (size_t i = 0; i < nr; i++) {
		load(g, BPF_REG_3, at + words[i]);
		add_print(g, BPF_REG_3);
	}
}

/* r1 = what tells the code object at r6 from others. */
static void read_print(struct generator *g, int failed)
{
	static const s16 all[] = PYTHON_CODE_WORDS, numbered[] = PYTHON_CODE_NUMBERED;
	struct bpf_asm *a = &g->a;
	int by_name = bpf_asm__label(a), done = bpf_asm__label(a);

	bpf_asm__alu(a, BPF_MOV, BPF_REG_3, BPF_REG_6);
	load(g, BPF_REG_1, AT(at.numbered));
	bpf_asm__jump(a, BPF_JEQ, BPF_REG_1, 0, by_name);
	bpf_asm__alu_imm(a, BPF_ADD, BPF_REG_3, PYTHON_CODE_NUMBERED_AT);
	read_user(g, AT(python), PYTHON_CODE_NUMBERED_SIZE, failed);
	bpf_asm__alu_imm(a, BPF_MOV, BPF_REG_1, 0);
	add_words(g, numbered, ARRAY_SIZE(numbered), AT(python) - PYTHON_CODE_NUMBERED_AT);
	bpf_asm__goto(a, done);
	bpf_asm__place(a, by_name);
	read_user(g, AT(python), PYTHON_CODE_SIZE, failed);
	load(g, BPF_REG_3, AT(python) + PYTHON_CODE_QUALNAME);
	bpf_asm__alu_imm(a, BPF_ADD, BPF_REG_3, PYTHON_STR_HASH);
	read_user(g, AT(word), sizeof(u64), failed);
	load(g, BPF_REG_1, AT(word));
	add_words(g, all, ARRAY_SIZE(all), AT(python));
	bpf_asm__place(a, done);
}

/*
 * r1 = the print of the code object at r6, which is to be the next function's. One that the sample
 * has met already is taken from there: nothing is freed meanwhile.
 */
static void find_print(struct generator *g, int failed)
{
	struct bpf_asm *a = &g->a;
	int missing = bpf_asm__label(a), found = bpf_asm__label(a);

	bpf_asm__alu(a, BPF_MOV, BPF_REG_8, BPF_REG_6);
	bpf_asm__alu_imm(a, BPF_RSH, BPF_REG_8, 6);
	bpf_asm__alu_imm(a, BPF_AND, BPF_REG_8, WALK_KNOWN - 1);
	bpf_asm__alu_imm(a, BPF_LSH, BPF_REG_8, 1);
	bpf_asm__alu(a, BPF_ADD, BPF_REG_8, SCRATCH);
	bpf_asm__alu_imm(a, BPF_ADD, BPF_REG_8, offsetof(struct walk_scratch, known));
	bpf_asm__load(a, BPF_H, BPF_REG_1, BPF_REG_8, 0);
	load(g, BPF_REG_2, AT(nr_functions));
	bpf_asm__jump_reg(a, BPF_JGE, BPF_REG_1, BPF_REG_2, missing);
	find_function(g, BPF_REG_1);
	bpf_asm__load(a, BPF_DW, BPF_REG_2, BPF_REG_0, 0);
	bpf_asm__alu(a, BPF_MOV, BPF_REG_1, BPF_REG_6);
	bpf_asm__alu_imm(a, BPF_LSH, BPF_REG_1, PYTHON_CODE_SHIFT - 3);
	bpf_asm__alu(a, BPF_XOR, BPF_REG_2, BPF_REG_1);
	bpf_asm__alu_imm(a, BPF_RSH, BPF_REG_2, PYTHON_CODE_SHIFT);
	bpf_asm__jump(a, BPF_JNE, BPF_REG_2, 0, missing);
	bpf_asm__load(a, BPF_DW, BPF_REG_1, BPF_REG_0, sizeof(u64));
	bpf_asm__goto(a, found);
	bpf_asm__place(a, missing);
	read_print(g, failed);
	load(g, BPF_REG_2, AT(nr_functions));
	bpf_asm__store(a, BPF_H, BPF_REG_8, 0, BPF_REG_2);
	bpf_asm__place(a, found);
}

/* Adds the frame at r9; r6 and r8 are lost. */
static void add_function(struct generator *g, int end)
{
	struct bpf_asm *a = &g->a;
	int few = bpf_asm__label(a);

	load_of_frame(g, BPF_DW, BPF_REG_6, AT(at.code));
	bpf_asm__alu_imm(a, BPF_AND, BPF_REG_6, -8); /* a reference's bits, in 3.14 */
	bpf_asm__jump(a, BPF_JEQ, BPF_REG_6, 0, end);
	load(g, BPF_REG_1, AT(nr_functions));
	bpf_asm__jump(a, BPF_JGE, BPF_REG_1, PYTHON_FRAMES_MAX, end);
	find_print(g, end);
	load(g, BPF_REG_2, AT(nr_functions));
	find_function(g, BPF_REG_2);
	bpf_asm__store(a, BPF_DW, BPF_REG_0, sizeof(u64), BPF_REG_1);
	load_of_frame(g, BPF_DW, BPF_REG_1, AT(at.instr));
	bpf_asm__alu(a, BPF_SUB, BPF_REG_1, BPF_REG_6);
	bpf_asm__alu_imm(a, BPF_RSH, BPF_REG_1, 1);
	bpf_asm__jump(a, BPF_JLE, BPF_REG_1, PYTHON_UNITS_MAX, few);
	bpf_asm__alu_imm(a, BPF_MOV, BPF_REG_1, PYTHON_UNITS_MAX);
	bpf_asm__place(a, few);
	bpf_asm__alu_imm(a, BPF_LSH, BPF_REG_1, 1);
	bpf_asm__alu_imm(a, BPF_LSH, BPF_REG_6, PYTHON_CODE_SHIFT - 3);
	bpf_asm__alu(a, BPF_OR, BPF_REG_6, BPF_REG_1);
	bpf_asm__store(a, BPF_DW, BPF_REG_0, 0, BPF_REG_6);
	load(g, BPF_REG_1, AT(nr_functions));
	bpf_asm__alu_imm(a, BPF_ADD, BPF_REG_1, 1);
	store(g, AT(nr_functions), BPF_REG_1);
}

/* Of 3.11: the frame at r9 may be the outermost of its call, which is at .cframe. */
static void add_marked_call(struct generator *g, int next, int end)
{
	struct bpf_asm *a = &g->a;

	load(g, BPF_REG_1, AT(at.marks_entry));
	bpf_asm__jump(a, BPF_JEQ, BPF_REG_1, 0, next);
	load_of_frame(g, BPF_B, BPF_REG_1, AT(at.entry));
	bpf_asm__jump(a, BPF_JEQ, BPF_REG_1, 0, next);
	load(g, BPF_REG_6, AT(cframe));
	add_call(g, end);
	load(g, BPF_REG_1, AT(at.cframe_previous));
	bpf_asm__alu(a, BPF_MOV, BPF_REG_3, BPF_REG_6);
	bpf_asm__alu(a, BPF_ADD, BPF_REG_3, BPF_REG_1);
	read_user(g, AT(cframe), sizeof(u64), end);
}

/* One frame, of a function or of a call; ends behind the outermost one. */
static void append_frame_step(struct generator *g)
{
	struct bpf_asm *a = &g->a;
	int end = bpf_asm__label(a), next = bpf_asm__label(a), function = bpf_asm__label(a);

	bpf_asm__place_function(a, g->frame_step);
	bpf_asm__load(a, BPF_DW, SCRATCH, BPF_REG_2, 0);
	load(g, BPF_REG_8, AT(frame));
	bpf_asm__jump(a, BPF_JEQ, BPF_REG_8, 0, end);
	find_frame(g, end);
	load(g, BPF_REG_1, AT(at.marks_entry));
	bpf_asm__jump(a, BPF_JNE, BPF_REG_1, 0, function);
	load_of_frame(g, BPF_B, BPF_REG_1, AT(at.owner));
	bpf_asm__jump(a, BPF_JLT, BPF_REG_1, PYTHON_OWNED_BY_CALL, function);
	bpf_asm__alu(a, BPF_MOV, BPF_REG_6, BPF_REG_8);
	add_call(g, end);
	bpf_asm__goto(a, next);
	bpf_asm__place(a, function);
	add_function(g, end);
	add_marked_call(g, next, end);
	bpf_asm__place(a, next);
	load_of_frame(g, BPF_DW, BPF_REG_1, AT(at.previous));
	store(g, AT(frame), BPF_REG_1);
	bpf_asm__exit(a, 0);
	bpf_asm__place(a, end);
	bpf_asm__exit(a, 1);
}

void walk_python__append(struct generator *g)
{
	append_state_step(g);
	append_frame_step(g);
}
