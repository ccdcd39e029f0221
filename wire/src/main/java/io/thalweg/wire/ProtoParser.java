// SPDX-License-Identifier: Apache-2.0
package io.thalweg.wire;

import com.google.protobuf.DescriptorProtos.DescriptorProto;
import com.google.protobuf.DescriptorProtos.EnumDescriptorProto;
import com.google.protobuf.DescriptorProtos.EnumValueDescriptorProto;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto.Label;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.DescriptorProtos.MessageOptions;
import com.google.protobuf.DescriptorProtos.OneofDescriptorProto;
import com.google.protobuf.TextFormat;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads a .proto file, as far as messages of it can be read and written by it: its messages, enums, fields and imports.
 * Options, services and extensions are passed over. Editions and groups are refused.
 */
final class ProtoParser {
    private static final Map<String, FieldDescriptorProto.Type> SCALARS = Map.ofEntries(
            Map.entry("double", FieldDescriptorProto.Type.TYPE_DOUBLE),
            Map.entry("float", FieldDescriptorProto.Type.TYPE_FLOAT),
            Map.entry("int32", FieldDescriptorProto.Type.TYPE_INT32),
            Map.entry("int64", FieldDescriptorProto.Type.TYPE_INT64),
            Map.entry("uint32", FieldDescriptorProto.Type.TYPE_UINT32),
            Map.entry("uint64", FieldDescriptorProto.Type.TYPE_UINT64),
            Map.entry("sint32", FieldDescriptorProto.Type.TYPE_SINT32),
            Map.entry("sint64", FieldDescriptorProto.Type.TYPE_SINT64),
            Map.entry("fixed32", FieldDescriptorProto.Type.TYPE_FIXED32),
            Map.entry("fixed64", FieldDescriptorProto.Type.TYPE_FIXED64),
            Map.entry("sfixed32", FieldDescriptorProto.Type.TYPE_SFIXED32),
            Map.entry("sfixed64", FieldDescriptorProto.Type.TYPE_SFIXED64),
            Map.entry("bool", FieldDescriptorProto.Type.TYPE_BOOL),
            Map.entry("string", FieldDescriptorProto.Type.TYPE_STRING),
            Map.entry("bytes", FieldDescriptorProto.Type.TYPE_BYTES));

    private static final int MOST_LEVELS = 100;

    private final ProtoTokens tokens;
    private final FileDescriptorProto.Builder file = FileDescriptorProto.newBuilder();
    private boolean proto3;

    private ProtoParser(ProtoTokens tokens) {
        this.tokens = tokens;
    }

    /** @throws InvalidSchemaException with the line */
    static FileDescriptorProto parse(String name, String text) {
        ProtoParser parser = new ProtoParser(new ProtoTokens(text));
        parser.file.setName(name);
        parser.file
                .getOptionsBuilder()
                .setJavaStringCheckUtf8(true); // as in proto3; else other bytes would be replaced
        parser.parseFile();
        return parser.file.build();
    }

    private void parseFile() {
        while (!tokens.atEnd()) {
            if (tokens.skip("syntax")) {
                tokens.expect("=");
                String syntax = tokens.text();
                proto3 = syntax.equals("proto3");
                if (!proto3 && !syntax.equals("proto2")) {
                    throw tokens.problem("unknown syntax '" + syntax + "'");
                }
                file.setSyntax(syntax);
                tokens.expect(";");
            } else if (tokens.skip("edition")) {
                throw tokens.problem("editions are not supported; use syntax proto3 or proto2");
            } else if (tokens.skip("package")) {
                file.setPackage(tokens.path());
                tokens.expect(";");
            } else if (tokens.skip("import")) {
                if (tokens.skip("public")) {
                    file.addPublicDependency(file.getDependencyCount());
                } else if (!tokens.skip("weak")) {
                    tokens.skip("option");
                }
                file.addDependency(tokens.text());
                tokens.expect(";");
            } else if (tokens.skip("message")) {
                file.addMessageType(message(0));
            } else if (tokens.skip("enum")) {
                file.addEnumType(enumeration());
            } else if (tokens.skip("option")) {
                tokens.skipOption();
            } else if (tokens.skip("service") || tokens.skip("extend")) {
                tokens.skipStatement();
            } else if (!tokens.skip(";")) {
                throw tokens.problem("'" + tokens.peek() + "' is not expected here");
            }
        }
    }

    private DescriptorProto message(int level) {
        if (level > MOST_LEVELS) {
            throw tokens.problem("messages are nested too deeply");
        }
        DescriptorProto.Builder message = DescriptorProto.newBuilder().setName(tokens.identifier());
        // Behind those that are written: others count messages within messages without them.
        List<DescriptorProto> entries = new ArrayList<>();
        tokens.expect("{");
        while (!tokens.skip("}")) {
            member(message, entries, level);
        }
        message.addAllNestedType(entries);
        for (FieldDescriptorProto.Builder field : message.getFieldBuilderList()) {
            if (field.getProto3Optional()) { // a oneof of its own, behind the written ones
                field.setOneofIndex(message.getOneofDeclCount());
                message.addOneofDecl(OneofDescriptorProto.newBuilder().setName("_" + field.getName()));
            }
        }
        return message.build();
    }

    private void member(DescriptorProto.Builder message, List<DescriptorProto> entries, int level) {
        String word = tokens.next();
        boolean named = !tokens.peek().equals(".") && Character.isJavaIdentifierStart(firstOf(tokens.peek()));
        if (word.equals(";")) {
            return;
        }
        if (named && word.equals("message")) {
            message.addNestedType(message(level + 1));
        } else if (named && word.equals("enum")) {
            message.addEnumType(enumeration());
        } else if (word.equals("oneof")) {
            oneof(message);
        } else if (word.equals("option") || word.equals("reserved") || word.equals("extensions")) {
            tokens.skipOption();
        } else if (word.equals("extend")) {
            tokens.skipStatement();
        } else if (word.equals("map") && tokens.skip("<")) {
            map(message, entries);
        } else {
            field(message, word);
        }
    }

    private void field(DescriptorProto.Builder message, String word) {
        Label label = label(word);
        FieldDescriptorProto.Builder field =
                FieldDescriptorProto.newBuilder().setLabel(label == null ? Label.LABEL_OPTIONAL : label);
        field(field, label == null ? word : tokens.next());
        if (proto3 && label == Label.LABEL_OPTIONAL) {
            field.setProto3Optional(true);
        } else if (label == null && !proto3) {
            throw tokens.problem("field " + field.getName() + " is not said to be optional, required or repeated");
        }
        message.addField(field);
    }

    private static char firstOf(String token) {
        return token.isEmpty() ? ' ' : token.charAt(0);
    }

    private static @Nullable Label label(String word) {
        return switch (word) {
            case "optional" -> Label.LABEL_OPTIONAL;
            case "required" -> Label.LABEL_REQUIRED;
            case "repeated" -> Label.LABEL_REPEATED;
            default -> null;
        };
    }

    private void oneof(DescriptorProto.Builder message) {
        int index = message.getOneofDeclCount();
        message.addOneofDecl(OneofDescriptorProto.newBuilder().setName(tokens.identifier()));
        tokens.expect("{");
        while (!tokens.skip("}")) {
            if (tokens.skip("option")) {
                tokens.skipOption();
            } else if (!tokens.skip(";")) {
                FieldDescriptorProto.Builder field = FieldDescriptorProto.newBuilder()
                        .setLabel(Label.LABEL_OPTIONAL)
                        .setOneofIndex(index);
                field(field, tokens.next());
                message.addField(field);
            }
        }
    }

    private void map(DescriptorProto.Builder message, List<DescriptorProto> entries) {
        FieldDescriptorProto.Builder key = part("key", 1, tokens.next());
        tokens.expect(",");
        FieldDescriptorProto.Builder value = part("value", 2, tokens.next());
        tokens.expect(">");
        FieldDescriptorProto.Builder field = FieldDescriptorProto.newBuilder().setLabel(Label.LABEL_REPEATED);
        finish(field);
        String name = camel(field.getName(), true) + "Entry";
        entries.add(DescriptorProto.newBuilder()
                .setName(name)
                .addField(key)
                .addField(value)
                .setOptions(MessageOptions.newBuilder().setMapEntry(true))
                .build());
        message.addField(field.setType(FieldDescriptorProto.Type.TYPE_MESSAGE).setTypeName(name));
    }

    private FieldDescriptorProto.Builder part(String name, int number, String type) {
        FieldDescriptorProto.Builder part = FieldDescriptorProto.newBuilder()
                .setName(name)
                .setNumber(number)
                .setJsonName(name)
                .setLabel(Label.LABEL_OPTIONAL);
        type(part, type);
        return part;
    }

    private void field(FieldDescriptorProto.Builder field, String type) {
        if (type.equals("group")) {
            throw tokens.problem("groups are not supported; use a message");
        }
        type(field, type);
        finish(field);
    }

    /** @param word the first of the type */
    private void type(FieldDescriptorProto.Builder field, String word) {
        FieldDescriptorProto.Type scalar = SCALARS.get(word);
        if (scalar != null && !tokens.peek().equals(".")) {
            field.setType(scalar);
            return;
        }
        StringBuilder path = new StringBuilder(word.equals(".") ? "." + tokens.identifier() : word);
        while (tokens.skip(".")) {
            path.append('.').append(tokens.identifier());
        }
        if (!Character.isJavaIdentifierStart(word.charAt(0)) && !word.equals(".")) {
            throw tokens.problem("a type is expected, found '" + word + "'");
        }
        field.setTypeName(path.toString());
    }

    /** What stands behind the type. */
    private void finish(FieldDescriptorProto.Builder field) {
        field.setName(tokens.identifier());
        tokens.expect("=");
        field.setNumber(tokens.number());
        field.setJsonName(camel(field.getName(), false));
        if (tokens.skip("[")) {
            options(field);
        }
        tokens.expect(";");
    }

    private void options(FieldDescriptorProto.Builder field) {
        while (!tokens.skip("]")) {
            String name = tokens.next();
            if (name.equals("default") && tokens.skip("=")) {
                field.setDefaultValue(defaultValue(field));
            } else if (name.equals("json_name") && tokens.skip("=")) {
                field.setJsonName(tokens.text());
            } else if (name.equals("[") || name.equals("{")) {
                skipTo(name.equals("[") ? "]" : "}");
            }
        }
    }

    private void skipTo(String end) {
        while (!tokens.skip(end)) {
            String token = tokens.next();
            if (token.equals("[") || token.equals("{")) {
                skipTo(token.equals("[") ? "]" : "}");
            }
        }
    }

    /** As descriptors have it. */
    private String defaultValue(FieldDescriptorProto.Builder field) {
        if (field.getType() == FieldDescriptorProto.Type.TYPE_STRING && field.hasType()) {
            return tokens.text();
        }
        if (field.getType() == FieldDescriptorProto.Type.TYPE_BYTES) {
            return TextFormat.escapeBytes(tokens.bytes());
        }
        String word = tokens.next();
        String value = word.equals("-") || word.equals("+") ? (word.equals("-") ? "-" : "") + tokens.next() : word;
        boolean hexadecimal = value.toLowerCase(Locale.ROOT).contains("0x");
        boolean octal = value.matches("-?0[0-7]+");
        if (field.hasType()
                && field.getType() != FieldDescriptorProto.Type.TYPE_DOUBLE
                && field.getType() != FieldDescriptorProto.Type.TYPE_FLOAT) {
            return hexadecimal || octal ? new BigInteger(digits(value), hexadecimal ? 16 : 8).toString() : value;
        }
        return value;
    }

    private static String digits(String value) {
        return value.replaceFirst("0[xX]", "");
    }

    private EnumDescriptorProto enumeration() {
        EnumDescriptorProto.Builder type = EnumDescriptorProto.newBuilder().setName(tokens.identifier());
        tokens.expect("{");
        while (!tokens.skip("}")) {
            if (tokens.skip("option")) {
                if (tokens.skip("allow_alias")) {
                    tokens.expect("=");
                    type.getOptionsBuilder().setAllowAlias(tokens.skip("true"));
                }
                tokens.skipOption();
            } else if (tokens.skip("reserved")) {
                tokens.skipOption();
            } else if (!tokens.skip(";")) {
                EnumValueDescriptorProto.Builder value =
                        EnumValueDescriptorProto.newBuilder().setName(tokens.identifier());
                tokens.expect("=");
                type.addValue(value.setNumber(tokens.number()));
                if (tokens.skip("[")) {
                    skipTo("]");
                }
                tokens.expect(";");
            }
        }
        return type.build();
    }

    /** {@code order_id} as {@code orderId}. */
    private static String camel(String name, boolean upper) {
        StringBuilder camel = new StringBuilder();
        boolean high = upper;
        for (int i = 0; i < name.length(); i++) {
            char each = name.charAt(i);
            if (each == '_') {
                high = true;
            } else {
                camel.append(high ? Character.toUpperCase(each) : each);
                high = false;
            }
        }
        return camel.toString();
    }
}
