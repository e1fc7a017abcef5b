// SPDX-License-Identifier: GPL-2.0-only
// Usage: columns-duckdb.cjs FOLDER QUERY.sql...
// Makes Parquet of FOLDER/cost.csv, cost_stack.csv and symbol.csv with DuckDB, runs queries of
// scripts/columns on that, and prints their rows as sqlite3 does.
"use strict";
const { readFileSync } = require("node:fs");
const { DuckDBInstance } = require("@duckdb/node-api");

async function main([folder, ...files]) {
	const db = await (await DuckDBInstance.create(":memory:")).connect();
	for (const table of ["cost", "cost_stack", "symbol"]) {
		await db.run(`COPY (FROM read_csv('${folder}/${table}.csv', header = true,
			sample_size = -1, nullstr = '')) TO '${folder}/${table}.parquet'`);
		await db.run(`CREATE TABLE ${table} AS FROM '${folder}/${table}.parquet'`);
	}
	for (const file of files) {
		const result = await db.runAndReadAll(readFileSync(file, "utf8"));
		for (const row of result.getRows())
			console.log(row.map((v) => v ?? "").join("|"));
	}
}

main(process.argv.slice(2));
