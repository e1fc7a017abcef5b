// SPDX-License-Identifier: GPL-2.0-only
#include "v8-layout.h"

#include <stddef.h>
#include <string.h>

/* Where the type of a field changes, so does the end of its variable's name: that is left out. */
static const struct {
	const char *name;
	size_t at;
	bool may_lack;
} variables[] = {
#define FIELD(member, name) { name, offsetof(struct v8_layout, member), false }
#define MAYBE(member, name) { name, offsetof(struct v8_layout, member), true }
	FIELD(map_type, "class_Map__instance_type__"),
	FIELD(function_shared, "class_JSFunction__shared__"),
	FIELD(shared_name, "class_SharedFunctionInfo__name_or_scope_info__"),
	FIELD(shared_script, "class_SharedFunctionInfo__script_or_debug_info__"),
	FIELD(shared_script, "class_SharedFunctionInfo__script__"),
	FIELD(script_name, "class_Script__name__"),
	FIELD(string_length, "class_String__length__"),
	FIELD(one_byte, "class_SeqOneByteString__chars__"),
	FIELD(two_byte, "class_SeqTwoByteString__chars__"),
	FIELD(cons_first, "class_ConsString__first__"),
	FIELD(cons_second, "class_ConsString__second__"),
	FIELD(sliced_parent, "class_SlicedString__parent__"),
	FIELD(sliced_offset, "class_SlicedString__offset__"),
	FIELD(thin_actual, "class_ThinString__actual__"),
	FIELD(array_data, "class_FixedArray__data__"),
	FIELD(stream_start, "class_InstructionStream__instruction_start__"),
	FIELD(stream_start, "class_Code__instruction_start__uintptr_t"),
	FIELD(scope_locals, "scopeinfo_idx_ncontextlocals"),
	FIELD(scope_first, "scopeinfo_idx_first_vars"),
	FIELD(fp_context, "off_fp_context_or_frame_type"),
	FIELD(fp_function, "off_fp_function"),
	FIELD(fp_bytecodes, "off_fp_bytecode_array"),
	FIELD(fp_offset, "off_fp_bytecode_offset"),
	FIELD(type_function, "type_JSFunction__JS_FUNCTION_TYPE"),
	FIELD(type_shared, "type_SharedFunctionInfo__"),
	FIELD(type_code, "type_Code__"),
	FIELD(type_bytecodes, "type_BytecodeArray__"),
	FIELD(type_scope, "type_ScopeInfo__"),
	FIELD(type_script, "type_Script__"),
	FIELD(type_map, "type_Map__"),
	FIELD(no_string, "FirstNonstringType"),
	FIELD(form_mask, "StringRepresentationMask"),
	FIELD(cons, "ConsStringTag"),
	FIELD(sliced, "SlicedStringTag"),
	FIELD(thin, "ThinStringTag"),
	FIELD(sequential, "SeqStringTag"),
	FIELD(encoding, "StringEncodingMask"),
	FIELD(one_byte_tag, "OneByteStringTag"),
	FIELD(smi_shift, "SmiShiftSize"),
	MAYBE(type_stream, "type_InstructionStream__"),
	MAYBE(type_interpreter_data, "type_InterpreterData__"),
	MAYBE(type_wrapper, "type_SharedFunctionInfoWrapper__"),
	MAYBE(wrapper_shared, "class_SharedFunctionInfoWrapper__shared_info__"),
	MAYBE(code_start, "class_Code__instruction_start__Address"),
	MAYBE(code_size, "class_Code__instruction_size__int"),
#undef FIELD
#undef MAYBE
};

static s32 *layout__at(struct v8_layout *l, size_t at)
{
	return (s32 *)((char *)l + at);
}

void v8_layout__init(struct v8_layout *l)
{
	for (size_t i = 0; i < sizeof(*l) / sizeof(s32); i++)
		*layout__at(l, i * sizeof(s32)) = V8_NONE;
}

s32 *v8_layout__field(struct v8_layout *l, const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(variables); i++) {
		size_t len = strlen(variables[i].name);

		if (!strncmp(name, variables[i].name, len) &&
		    (!name[len] || variables[i].name[len - 1] == '_'))
			return layout__at(l, variables[i].at);
	}
	return NULL;
}

const char *v8_layout__lacks(const struct v8_layout *l)
{
	for (size_t i = 0; i < ARRAY_SIZE(variables); i++)
		if (!variables[i].may_lack &&
		    *layout__at((struct v8_layout *)l, variables[i].at) == V8_NONE)
			return variables[i].name;
	return NULL;
}
