// SPDX-License-Identifier: GPL-2.0-only
#include "package-of.h"

#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LISTS "/var/lib/dpkg/info"
#define LINE 4096

/* Whether a list has the file: "/usr/bin/gdb", or "/bin/ls" for "/usr/bin/ls" and vice versa. */
static bool list_has(const char *list, const char *path)
{
	const char *other = !strncmp(path, "/usr/", 5) ? path + 4 : NULL;
	FILE *f = fopen(list, "re");
	bool found = false;
	char line[LINE];

	while (f && !found && fgets(line, sizeof(line), f)) {
		line[strcspn(line, "\n")] = '\0';
		found = !strcmp(line, path) || (other && !strcmp(line, other)) ||
			(!other && !strncmp(line, "/usr", 4) && !strcmp(line + 4, path));
	}
	if (f)
		fclose(f);
	return found;
}

const char *package__of(const char *path, char *name, size_t size)
{
	const char *found = NULL;
	struct dirent *entry;
	char list[LINE];
	DIR *dir = *path == '/' ? opendir(LISTS) : NULL;

	while (dir && !found && (entry = readdir(dir))) {
		size_t len = strlen(entry->d_name);

		if (len < 6 || strcmp(entry->d_name + len - 5, ".list"))
			continue;
		snprintf(list, sizeof(list), "%s/%s", LISTS, entry->d_name);
		if (!list_has(list, path))
			continue;
		snprintf(name, size, "%.*s", (int)strcspn(entry->d_name, ":"), entry->d_name);
		len = strlen(name);
		if (len > 5 && !strcmp(name + len - 5, ".list"))
			name[len - 5] = '\0';
		found = name;
	}
	if (dir)
		closedir(dir);
	return found;
}
