// SPDX-License-Identifier: GPL-2.0-only
/*
 * A dictionary that the script neither keeps nor changes can be given to it again. Up to 3.11
 * each change gives a dictionary another version. From 3.12 on there are watchers, which are told
 * of changes; they know nothing but the dictionary, so how many changes there were is counted for
 * the process, as the interpreter is one of the process anyway.
 */
#include "interpreter.h"

#if PY_VERSION_HEX < 0x030c0000

int dict_stamp__watch(PyObject *dict)
{
	return 0;
}

void dict_stamp__script_runs(bool runs)
{
}

#else

static struct {
	int watcher;      /* of PyDict_AddWatcher(), from 1 */
	u64 changes;      /* by the script */
	bool script_runs;
} watched;

static int note_change(PyDict_WatchEvent event, PyObject *dict, PyObject *key, PyObject *value)
{
	watched.changes += watched.script_runs && event != PyDict_EVENT_DEALLOCATED;
	return 0;
}

int dict_stamp__watch(PyObject *dict)
{
	if (!watched.watcher)
		watched.watcher = PyDict_AddWatcher(note_change) + 1;
	return watched.watcher ? PyDict_Watch(watched.watcher - 1, dict) : -1;
}

u64 dict_stamp__changes(void)
{
	return watched.changes;
}

void dict_stamp__script_runs(bool runs)
{
	watched.script_runs = runs;
}

#endif
