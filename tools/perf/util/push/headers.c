// SPDX-License-Identifier: GPL-2.0-only
#include "headers.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "../io/procfile.h"

static int read_file(struct push_headers *h, const char *file, struct error *err)
{
	struct stat st;
	char *save = NULL;
	size_t len;
	int ret = stat(file, &st) ? -errno : procfile__read(file, &h->text, &len);

	if (ret)
		return error__set(err, ret, "cannot read '%s': %s", file, strerror(-ret));
	if (st.st_mode & (S_IRGRP | S_IROTH))
		return error__set(err, -EPERM, "'%s' can be read by others, though it is for "
				  "secrets: chmod 600", file);
	for (char *s = strtok_r(h->text, "\r\n", &save); s; s = strtok_r(NULL, "\r\n", &save))
		*vec__push(&h->lines) = s;
	return 0;
}

int push_headers__read(struct push_headers *h, const char *token, const char *file,
		       struct error *err)
{
	int ret;

	*h = (struct push_headers){};
	if (token && *token) {
		h->token = xasprintf("Authorization: Bearer %s", token);
		*vec__push(&h->lines) = h->token;
	}
	ret = file && *file ? read_file(h, file, err) : 0;
	*vec__push(&h->lines) = NULL;
	return ret;
}

void push_headers__free(struct push_headers *h)
{
	vec__free(&h->lines);
	free(h->token);
	free(h->text);
}
