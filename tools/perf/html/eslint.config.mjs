// SPDX-License-Identifier: GPL-2.0-only
// `npx eslint@9 .` here: for who changes the page, and for .ci/run; nothing else needs it.
export default [{
	files: ["**/*.js"],
	languageOptions: { ecmaVersion: 2022, sourceType: "script" },
	rules: {
		"no-redeclare": "error", "no-unreachable": "error", "no-var": "error",
		"prefer-const": "error", eqeqeq: "error", "no-eval": "error",
		"no-implied-eval": "error", "no-fallthrough": "error", "consistent-return": "error",
		"no-shadow": "error", "no-dupe-keys": "error", "no-const-assign": "error",
		"no-self-compare": "error", "no-unused-expressions": "error",
	},
}];
