// SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
/*
 * The frames of CPython, read by the thread that runs them. Between two instructions of the
 * interpreter its structures may be in any state, so each load may fault, and each code object
 * must say that it is one.
 */
#include <dlfcn.h>
#include <pthread.h>

#include "priv.h"
#include "python-offsets.h"

/* Of the process, and written once, when the agent is loaded. */
static struct {
	struct python_offsets at;
	bool known;
	uint64_t code_type;
	void *(*this_state)(void);      /* of the thread: see .binds; or of the first interpreter */
	void *(*attached_state)(void);  /* that runs: in this thread, and in 3.11 in any; or NULL */
	void *(*first)(void);           /* interpreter */
	void *(*first_thread)(void *);  /* the list of its threads' states */
} py;

static enum agent_python find_offsets(uint32_t version)
{
	switch (python_offsets__find(&py.at, version, dlsym(RTLD_DEFAULT, "_PyRuntime"))) {
	case PYTHON_KNOWN:
		return AGENT_PYTHON_KNOWN;
	case PYTHON_FREE_THREADED:
		return AGENT_PYTHON_FREE;
	case PYTHON_UNKNOWN:
		break;
	}
	return AGENT_PYTHON_UNKNOWN;
}

enum agent_python agent__find_python(uint32_t *version)
{
	const unsigned long *v = dlsym(RTLD_DEFAULT, "Py_Version");
	enum agent_python found;

	if (!dlsym(RTLD_DEFAULT, "Py_Initialize") && !dlsym(RTLD_DEFAULT, "Py_InitializeEx"))
		return AGENT_PYTHON_NONE;
	*version = v ? *v >> 16 : 0;
	py.this_state = (void *(*)(void))dlsym(RTLD_DEFAULT, "PyGILState_GetThisThreadState");
	py.code_type = (uint64_t)dlsym(RTLD_DEFAULT, "PyCode_Type");
	py.attached_state = (void *(*)(void))dlsym(RTLD_DEFAULT, "_PyThreadState_UncheckedGet");
	py.first = (void *(*)(void))dlsym(RTLD_DEFAULT, "PyInterpreterState_Main");
	py.first_thread = (void *(*)(void *))dlsym(RTLD_DEFAULT, "PyInterpreterState_ThreadHead");
	found = find_offsets(*version);
	if (found != AGENT_PYTHON_KNOWN)
		return found;
	if (!py.this_state || !py.code_type || !py.first || !py.first_thread)
		return AGENT_PYTHON_UNKNOWN;
	py.known = agent__make_names();
	return py.known ? AGENT_PYTHON_KNOWN : AGENT_PYTHON_UNKNOWN;
}

static inline uint64_t word(uint64_t at, bool *bad)
{
	uint64_t v = 0;

	if (!agent__load(&v, at))
		*bad = true;
	return *bad ? 0 : v;
}

/* What of a code object tells it from all others, also from those that had its memory before. */
struct code {
	uint64_t at, name, file, lines;
	uint32_t first_line;
	uint64_t name_length, name_hash, file_length, file_hash, lines_size, lines_head[2];
	bool torn; /* its name could not be read */
};

static void read_code(uint64_t at, struct code *c, bool *bad)
{
	c->at = at;
	c->name = word(at + py.at.name, bad);
	c->file = word(at + py.at.file, bad);
	c->lines = word(at + py.at.lines, bad);
	c->first_line = word(at + py.at.first_line, bad);
	c->name_length = word(c->name + PYTHON_STR_LENGTH, bad);
	c->name_hash = word(c->name + PYTHON_STR_HASH, bad);
	c->file_length = word(c->file + PYTHON_STR_LENGTH, bad);
	c->file_hash = word(c->file + PYTHON_STR_HASH, bad);
	c->lines_size = word(c->lines + PYTHON_OB_SIZE, bad);
	c->lines_head[0] = word(c->lines + PYTHON_BYTES_DATA, bad);
	/* An object of bytes ends with a 0, and there is allocated memory behind it. */
	c->lines_head[1] = c->lines_size >= 16 ? word(c->lines + PYTHON_BYTES_DATA + 8, bad) : 0;
}

static uint64_t fingerprint(const struct code *c)
{
	const uint64_t v[] = {
		c->at, c->name, c->file, c->lines, c->first_line, c->name_length, c->name_hash,
		c->file_length, c->file_hash, c->lines_size,
		c->lines_size >= 8 ? c->lines_head[0] : 0, c->lines_head[1],
	};

	return agent__print(0, v, sizeof(v) / sizeof(v[0]));
}

static size_t put_utf8(uint8_t *to, uint32_t c)
{
	if (c < 0x80) {
		to[0] = c;
		return 1;
	}
	if (c < 0x800) {
		to[0] = 0xc0 | c >> 6;
		to[1] = 0x80 | (c & 0x3f);
		return 2;
	}
	if (c < 0x10000) {
		to[0] = 0xe0 | c >> 12;
		to[1] = 0x80 | (c >> 6 & 0x3f);
		to[2] = 0x80 | (c & 0x3f);
		return 3;
	}
	to[0] = 0xf0 | (c >> 18 & 7);
	to[1] = 0x80 | (c >> 12 & 0x3f);
	to[2] = 0x80 | (c >> 6 & 0x3f);
	to[3] = 0x80 | (c & 0x3f);
	return 4;
}

/* Writes a string as UTF-8, cut after AGENT_NAME_MAX - 4 bytes. Returns its bytes. */
static size_t put_string(uint8_t *to, uint64_t str, uint64_t length, bool *bad)
{
	uint64_t state = word(str + PYTHON_STR_STATE, bad), at;
	uint32_t kind = state >> PYTHON_STR_KIND_SHIFT & PYTHON_STR_KIND_MASK;
	bool ascii = state >> PYTHON_STR_ASCII_SHIFT & 1;
	size_t size = 0;

	if (!ascii)
		kind = kind == 1 || kind == 2 || kind == 4 ? kind : 0;
	else
		kind = 1;
	at = str + python_offsets__str_data(&py.at, ascii);
	for (uint64_t i = 0; kind && i < length && size < AGENT_NAME_MAX - 4 && !*bad; i++) {
		uint32_t c = 0;

		*bad |= !agent__copy(&c, at + i * kind, kind);
		size += put_utf8(to + size, c);
	}
	return size;
}

/* Writes the name of a code object. Returns its number; 0: there is no room, or it is none. */
static uint32_t write_name(void *ctx)
{
	struct code *c = ctx;
	bool bad = false;
	uint64_t most = 0, lines = c->lines_size;
	struct agent_code *n;
	uint32_t offset;
	size_t size;

	lines = lines <= AGENT_LINES_MAX ? lines : 0;
	/* As much as both may take: what they do take is known when they are written. */
	most += c->name_length < AGENT_NAME_MAX / 4 ? 4 * c->name_length : AGENT_NAME_MAX;
	most += c->file_length < AGENT_NAME_MAX / 4 ? 4 * c->file_length : AGENT_NAME_MAX;
	n = agent__take_name(sizeof(*n) + most + lines, &offset);
	if (!n)
		return 0;
	n->first_line = c->first_line;
	n->name_size = put_string(n->data, c->name, c->name_length, &bad);
	n->file_size = put_string(n->data + n->name_size, c->file, c->file_length, &bad);
	n->lines_size = lines;
	if (!agent__copy(n->data + n->name_size + n->file_size, c->lines + PYTHON_BYTES_DATA,
			 lines))
		bad = true;
	if (bad)
		n->name_size = n->file_size = n->lines_size = 0;
	size = (sizeof(*n) + most + lines + 7) & ~7ull;
	__atomic_store_n(&n->size, size, __ATOMIC_RELEASE);
	c->torn |= bad;
	return bad ? 0 : offset;
}

/*
 * Code objects that this walk has met, by address: nothing is freed meanwhile, and a function that
 * calls itself is met again and again.
 */
#define MET 16

struct met {
	struct { uint64_t code; uint32_t number; } of[MET];
};

/*
 * The number of a code object's name, which is written when it is met for the first time. It must
 * say that it is a code object.
 */
static uint32_t name_of(uint64_t code, struct met *met, bool *bad)
{
	uint32_t at = code / 64 % MET;
	struct code c = {};

	if (met->of[at].code == code)
		return met->of[at].number;
	if (*bad || word(code + PYTHON_OB_TYPE, bad) != py.code_type) {
		*bad = true;
		return 0;
	}
	read_code(code, &c, bad);
	met->of[at].number = *bad ? 0 : agent__name(fingerprint(&c), write_name, &c);
	*bad |= c.torn;
	met->of[at].code = *bad ? 0 : code;
	return met->of[at].number;
}

/* Reads one frame of a function. Returns false when it is none, and the walk must end. */
static bool read_frame(uint64_t frame, struct agent_frame *f, struct met *met, bool *bad)
{
	uint64_t code = word(frame + py.at.code, bad) & ~PYTHON_REFERENCE_TAG;
	uint64_t instr = word(frame + py.at.instr, bad);

	f->code = name_of(code, met, bad);
	f->at = instr >= code + py.at.bytecode ?
		(instr - code - py.at.bytecode) / PYTHON_CODE_UNIT : 0;
	f->entry = 0;
	return !*bad;
}

static uint8_t byte_at(uint64_t at, bool *bad)
{
	return word(at & ~7ull, bad) >> at % 8 * 8;
}

/* Of 3.12 and later: the call of the interpreter is a frame of its own, on the C stack. */
static uint32_t walk_shims(uint64_t frame, struct agent_frame *frames, uint32_t max, bool *bad)
{
	struct met met = {};
	uint32_t nr = 0;

	for (; frame && nr < max && !*bad; frame = word(frame + py.at.previous, bad)) {
		if (byte_at(frame + py.at.owner, bad) >= PYTHON_OWNED_BY_CALL) {
			if (nr && !frames[nr - 1].entry)
				frames[nr - 1].entry = frame;
			continue;
		}
		if (!*bad && read_frame(frame, &frames[nr], &met, bad))
			nr++;
	}
	return nr;
}

/* Of 3.11: a frame says that it is the outermost of its call, which has a record on the C stack. */
static uint32_t walk_marked(uint64_t cframe, struct agent_frame *frames, uint32_t max, bool *bad)
{
	uint64_t frame = word(cframe + py.at.cframe_current, bad);
	struct met met = {};
	uint32_t nr = 0;

	for (; frame && nr < max && !*bad; frame = word(frame + py.at.previous, bad)) {
		if (!read_frame(frame, &frames[nr], &met, bad))
			break;
		if (byte_at(frame + py.at.entry, bad)) {
			frames[nr].entry = cframe;
			cframe = word(cframe + py.at.cframe_previous, bad);
		}
		nr++;
	}
	return nr;
}

/* The frames of one interpreter. */
static uint32_t walk_state(uint64_t state, struct agent_frame *frames, uint32_t max,
			   uint16_t *flags)
{
	bool bad = false;
	uint64_t at = word(state + py.at.current, &bad);
	uint32_t nr;

	if (py.at.marks_entry)
		nr = walk_marked(at, frames, max, &bad);
	else
		nr = walk_shims(py.at.has_cframe ? word(at + py.at.cframe_current, &bad) : at,
				frames, max, &bad);
	*flags |= bad ? AGENT_TORN : 0;
	*flags |= nr == max ? AGENT_CUT : 0;
	if (nr)
		frames[nr - 1].code |= AGENT_OUTERMOST;
	return nr;
}

static bool is_own(uint64_t state)
{
	bool bad = false;

	return word(state + py.at.thread, &bad) == (uint64_t)pthread_self() && !bad;
}

/* The state that runs in this thread; 0: none, or without the interpreter's lock. */
static uint64_t attached_state(void)
{
	uint64_t state = py.attached_state ? (uint64_t)py.attached_state() : 0;

	return state && (py.at.binds || is_own(state)) ? state : 0;
}

#define STATES_MAX 4096

/*
 * The state that this thread has in the first interpreter, when it has run @last. Others may begin
 * and end meanwhile, so that the list leads nowhere; this one stays.
 */
static uint64_t first_state(uint64_t last)
{
	uint64_t first = (uint64_t)py.first(), state;
	bool bad = false;

	if (word(last + PYTHON_STATE_INTERPRETER, &bad) == first || bad)
		return bad ? 0 : last;
	state = first ? (uint64_t)py.first_thread((void *)first) : 0;
	for (int i = 0; state && i < STATES_MAX && !bad; i++) {
		if (is_own(state) && word(state + PYTHON_STATE_INTERPRETER, &bad) == first)
			return state;
		state = word(state + PYTHON_STATE_NEXT, &bad);
	}
	return 0;
}

/* A subinterpreter's frames, and those of the first one, which has called it. */
uint32_t agent__python_frames(struct agent_frame *frames, uint32_t max, uint16_t *flags)
{
	uint64_t inner, outer;
	uint32_t nr = 0;

	if (!py.known)
		return 0;
	inner = attached_state();
	outer = (uint64_t)py.this_state();
	if (py.at.binds && outer) {
		inner = inner ?: outer;
		outer = first_state(inner);
	}
	if (inner && inner != outer)
		nr = walk_state(inner, frames, max, flags);
	if (outer && nr < max)
		nr += walk_state(outer, frames + nr, max - nr, flags);
	return nr;
}
