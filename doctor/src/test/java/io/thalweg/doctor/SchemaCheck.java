// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Checks values against a JSON Schema, as far as ours uses it; a keyword that it does not know fails the check. */
final class SchemaCheck {
    private static final Set<String> WORDS = Set.of("$schema", "title", "description", "$defs");

    private final Map<String, Object> root;

    SchemaCheck(Map<String, Object> root) {
        this.root = root;
    }

    /** What is wrong with the value; nothing if it fits. */
    List<String> problems(@Nullable Object value) {
        List<String> problems = new ArrayList<>();
        check(root, value, "", problems);
        return problems;
    }

    @SuppressWarnings("unchecked") // a schema is made of objects and arrays
    private void check(Map<String, Object> schema, @Nullable Object value, String path, List<String> problems) {
        schema.forEach((word, rule) -> {
            switch (word) {
                case "$ref" -> check(definition((String) rule), value, path, problems);
                case "anyOf" -> checkAny((List<Map<String, Object>>) rule, value, path, problems);
                case "type" -> {
                    List<Object> types = rule instanceof List<?> several ? (List<Object>) several : List.of(rule);
                    if (types.stream().noneMatch(type -> isOf((String) type, value))) {
                        problems.add(path + " is no " + types);
                    }
                }
                case "const" -> {
                    if (!rule.equals(value)) {
                        problems.add(path + " is not " + rule);
                    }
                }
                case "enum" -> {
                    if (value != null && !((List<Object>) rule).contains(value)) {
                        problems.add(path + " is none of " + rule);
                    }
                }
                case "items" -> {
                    if (value instanceof List<?> list) {
                        for (int i = 0; i < list.size(); i++) {
                            check((Map<String, Object>) rule, list.get(i), path + "[" + i + "]", problems);
                        }
                    }
                }
                case "properties" -> {
                    if (value instanceof Map<?, ?> object) {
                        ((Map<String, Map<String, Object>>) rule).forEach((name, of) -> {
                            if (object.containsKey(name)) {
                                check(of, object.get(name), path + "." + name, problems);
                            }
                        });
                    }
                }
                case "required" -> {
                    if (value instanceof Map<?, ?> object && !object.keySet().containsAll((List<Object>) rule)) {
                        problems.add(path + " lacks one of " + rule);
                    }
                }
                case "additionalProperties" -> {
                    Set<String> known = ((Map<String, Object>) schema.get("properties")).keySet();
                    if (rule.equals(false)
                            && value instanceof Map<?, ?> object
                            && !known.containsAll(object.keySet())) {
                        problems.add(path + " has more than " + known);
                    }
                }
                default -> {
                    if (!WORDS.contains(word)) {
                        problems.add("unknown keyword " + word);
                    }
                }
            }
        });
    }

    private void checkAny(
            List<Map<String, Object>> schemas, @Nullable Object value, String path, List<String> problems) {
        List<String> all = new ArrayList<>();
        for (Map<String, Object> schema : schemas) {
            List<String> found = new ArrayList<>();
            check(schema, value, path, found);
            if (found.isEmpty()) {
                return;
            }
            all.addAll(found);
        }
        problems.addAll(all);
    }

    @SuppressWarnings("unchecked") // a schema is made of objects
    private Map<String, Object> definition(String reference) {
        Map<String, Object> definitions = (Map<String, Object>) root.get("$defs");
        return (Map<String, Object>) definitions.get(reference.substring("#/$defs/".length()));
    }

    private static boolean isOf(String type, @Nullable Object value) {
        return switch (type) {
            case "object" -> value instanceof Map;
            case "array" -> value instanceof List;
            case "string" -> value instanceof String;
            case "integer" -> value instanceof Long;
            case "number" -> value instanceof Number;
            case "boolean" -> value instanceof Boolean;
            case "null" -> value == null;
            default -> false;
        };
    }
}
