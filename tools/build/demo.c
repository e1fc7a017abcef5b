// SPDX-License-Identifier: GPL-2.0-only
/*
 * What `make demo` records: a server that parses JSON, as far as a profiler sees it. Compiled as
 * distributions compile programs, with -O2 and without frame pointers; its calls go through libc
 * and back (tfind), and a request has a buffer of 16 kB on the stack. Usage: demo [SECONDS]
 */
#define _GNU_SOURCE
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* Keeps a function, and its caller's frame, where inlining would leave neither. */
#define FRAME __attribute__((noinline, noclone))
#define RETURN_HERE() __asm__ volatile("" ::: "memory")

#define NR_NAMES 20000
#define NAME_SIZE 12

struct parser {
	const char *at;
	void *const *names; /* a tree of libc's */
	long sum, known;
};

static FRAME void parse_value(struct parser *p);

static FRAME int compare_names(const void *a, const void *b)
{
	const unsigned char *x = a, *y = b;

	while (*x && *x == *y)
		x++, y++;
	RETURN_HERE();
	return *x - *y;
}

static FRAME void look_up_name(struct parser *p, const char *name)
{
	p->known += !!tfind(name, p->names, compare_names);
}

static FRAME void parse_string(struct parser *p)
{
	char text[128];
	size_t len = 0;

	for (p->at++; *p->at != '"'; p->at++)
		if (len < sizeof(text) - 1)
			text[len++] = *p->at;
	p->at++;
	text[len] = '\0';
	look_up_name(p, text);
	RETURN_HERE();
}

static FRAME void parse_number(struct parser *p)
{
	long v = 0;

	for (; *p->at >= '0' && *p->at <= '9'; p->at++)
		v = v * 10 + *p->at - '0';
	p->sum += v;
}

static FRAME void parse_array(struct parser *p)
{
	do {
		p->at++;
		parse_value(p);
	} while (*p->at == ',');
	p->at++;
}

static FRAME void parse_member(struct parser *p)
{
	parse_string(p);
	p->at++;
	parse_value(p);
	RETURN_HERE();
}

static FRAME void parse_object(struct parser *p)
{
	do {
		p->at++;
		parse_member(p);
	} while (*p->at == ',');
	p->at++;
}

static FRAME void parse_value(struct parser *p)
{
	if (*p->at == '{')
		parse_object(p);
	else if (*p->at == '[')
		parse_array(p);
	else if (*p->at == '"')
		parse_string(p);
	else
		parse_number(p);
	RETURN_HERE();
}

static FRAME void send_answer(FILE *to, const struct parser *p)
{
	fprintf(to, "HTTP/1.1 200 OK\r\n\r\n{\"sum\":%ld,\"known\":%ld}\n", p->sum, p->known);
	fflush(to);
	RETURN_HERE();
}

/* An order of many items, with names that are not always the same. */
static FRAME size_t read_request(char *buf, size_t size, unsigned int nr)
{
	size_t len = snprintf(buf, size, "{\"order\":%u,\"customer\":{\"name\":\"n%06u\"},\"items\":[",
			      nr, nr * 7919 % NR_NAMES);

	for (unsigned int i = 0; i < 250; i++)
		len += snprintf(buf + len, size - len,
				"%s{\"n%06u\":{\"price\":%u,\"tags\":[\"n%06u\",\"blue\"]}}",
				i ? "," : "", (nr + i) * 31 % NR_NAMES, i * 97,
				(nr * i + 11) % NR_NAMES);
	return len + snprintf(buf + len, size - len, "]}");
}

static FRAME void handle_request(FILE *to, void *const *names, unsigned int nr)
{
	char buf[16384];
	struct parser p = { .at = buf, .names = names };

	read_request(buf, sizeof(buf), nr);
	for (int i = 0; i < 20; i++, p.at = buf)
		parse_value(&p);
	send_answer(to, &p);
}

static FRAME void serve_requests(FILE *to, double sec)
{
	static char names[NR_NAMES][NAME_SIZE];
	void *tree = NULL;
	clock_t end = clock() + sec * CLOCKS_PER_SEC;

	for (unsigned int i = 0; i < NR_NAMES; i++) {
		snprintf(names[i], NAME_SIZE, "n%06u", i);
		tsearch(names[i], &tree, compare_names);
	}
	for (unsigned int nr = 1; clock() < end; nr++)
		handle_request(to, &tree, nr);
}

int main(int argc, char **argv)
{
	FILE *to = fopen("answers", "w");

	if (!to) {
		perror("answers");
		return 1;
	}
	serve_requests(to, argc > 1 ? atof(argv[1]) : 1);
	unlink("answers");
	return fclose(to) ? 1 : 0;
}
