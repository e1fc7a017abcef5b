// SPDX-License-Identifier: GPL-2.0-only
#include <sqlite3.h>
/* Compiles if SQLite is installed, with its headers, and serializes (from 3.36 on by default). */

int main(void)
{
	sqlite3 *db;
	sqlite3_int64 size;

	sqlite3_open_v2("memory", &db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, "memdb");
	return !sqlite3_serialize(db, "main", &size, SQLITE_SERIALIZE_NOCOPY);
}
