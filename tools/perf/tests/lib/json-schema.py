#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""Usage: json-schema.py SCHEMA [FILE]

Fails when a line of FILE (default: standard input) is not a JSON object that SCHEMA allows. Of JSON
Schema it knows what the schemas in Documentation use; another keyword is an error. It is stricter
than they are: a member that an object's "properties" do not have is wrong, so that all are
documented. Prints how many objects of each type there were.
"""
import collections
import json
import re
import sys

TYPES = {"object": dict, "array": list, "string": str, "boolean": bool, "null": type(None),
         "integer": int, "number": (int, float)}
KNOWN = {"$schema", "$defs", "$ref", "title", "description", "type", "oneOf", "const", "enum",
         "pattern", "minimum", "required", "properties", "additionalProperties", "items",
         "prefixItems"}


def is_type(value, name):
    if isinstance(value, bool):
        return name == "boolean"
    return isinstance(value, TYPES[name])


class Schema:
    def __init__(self, root):
        self.root = root

    def problems(self, value, schema, path="$"):
        """Yields what is wrong with @value."""
        unknown = set(schema) - KNOWN
        if unknown:
            raise ValueError("%s: keywords that this checker does not know: %s" % (path, unknown))
        if "$ref" in schema:
            yield from self.problems(value, self.root["$defs"][schema["$ref"].split("/")[-1]], path)
        yield from self.scalar_problems(value, schema, path)
        if "oneOf" in schema:
            yield from self.choice_problems(value, schema["oneOf"], path)
        if isinstance(value, dict) and "properties" in schema:
            yield from self.object_problems(value, schema, path)
        if isinstance(value, list):
            yield from self.array_problems(value, schema, path)

    @staticmethod
    def scalar_problems(value, schema, path):
        types = schema.get("type", [])
        types = types if isinstance(types, list) else [types]
        if types and not any(is_type(value, t) for t in types):
            yield "%s: %r is no %s" % (path, value, " or ".join(types))
        elif "const" in schema and value != schema["const"]:
            yield "%s: %r is not %r" % (path, value, schema["const"])
        elif "enum" in schema and value not in schema["enum"]:
            yield "%s: %r is none of %r" % (path, value, schema["enum"])
        elif "pattern" in schema and not re.search(schema["pattern"], value):
            yield "%s: %r does not match %s" % (path, value, schema["pattern"])
        elif "minimum" in schema and value < schema["minimum"]:
            yield "%s: %r is too small" % (path, value)

    def choice_problems(self, value, choices, path):
        found = []
        for c in choices:
            form = self.root["$defs"][c["$ref"].split("/")[-1]] if "$ref" in c else c
            missing = [k for k in form.get("required", ()) if k not in value]
            kind = form.get("properties", {}).get("type", {}).get("const", value.get("type"))
            if missing or kind != value.get("type"): # quickly: there are millions of these
                found.append(["%s: is no %s: misses %s" % (path, kind, missing)])
            else:
                found.append(list(self.problems(value, c, path)))
        fits = sum(not f for f in found)
        if fits != 1:
            yield max(found, key=len)[0] if not fits else \
                "%s: fits %d forms" % (path, fits)

    def object_problems(self, value, schema, path):
        for key in schema.get("required", ()):
            if key not in value:
                yield "%s: has no member %r" % (path, key)
        for key, member in value.items():
            inner = schema["properties"].get(key, schema.get("additionalProperties"))
            if inner is None:
                yield "%s: the member %r is not documented" % (path, key)
            else:
                yield from self.problems(member, inner, "%s.%s" % (path, key))

    def array_problems(self, value, schema, path):
        first = schema.get("prefixItems", [])
        if schema.get("items") is False and len(value) != len(first):
            yield "%s: has %d items" % (path, len(value))
        for i, item in enumerate(value):
            inner = first[i] if i < len(first) else schema.get("items")
            if inner:
                yield from self.problems(item, inner, "%s[%d]" % (path, i))


def main():
    with open(sys.argv[1], encoding="utf-8") as f:
        schema = Schema(json.load(f))
    with (open(sys.argv[2], "rb") if len(sys.argv) > 2 else sys.stdin.buffer) as f:
        count = collections.Counter()
        for nr, line in enumerate(f, 1):
            value = json.loads(line.decode("utf-8")) # strictly
            for problem in schema.problems(value, schema.root):
                sys.exit("line %d: %s\n%s" % (nr, problem, line[:1000]))
            count[value["type"]] += 1
    print(" ".join("%s=%d" % pair for pair in sorted(count.items())))


if __name__ == "__main__":
    main()
