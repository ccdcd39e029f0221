// SPDX-License-Identifier: Apache-2.0
package io.thalweg.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.AnyProto;
import com.google.protobuf.ApiProto;
import com.google.protobuf.DescriptorProtos;
import com.google.protobuf.DescriptorProtos.DescriptorProto;
import com.google.protobuf.DescriptorProtos.EnumDescriptorProto;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.DurationProto;
import com.google.protobuf.SourceContextProto;
import com.google.protobuf.StructProto;
import com.google.protobuf.TimestampProto;
import com.google.protobuf.TypeProto;
import com.google.protobuf.WrappersProto;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Against what protoc made of the .proto files that are in Protobuf's own jar. */
final class ProtoParserTest {

    static List<FileDescriptor> wellKnown() {
        return List.of(
                DescriptorProtos.getDescriptor(),
                AnyProto.getDescriptor(),
                ApiProto.getDescriptor(),
                DurationProto.getDescriptor(),
                SourceContextProto.getDescriptor(),
                StructProto.getDescriptor(),
                TimestampProto.getDescriptor(),
                TypeProto.getDescriptor(),
                WrappersProto.getDescriptor());
    }

    @ParameterizedTest
    @MethodSource("wellKnown")
    void shouldReadAsProtocDoes(FileDescriptor file) throws Exception {
        String text;
        try (InputStream in = ProtoParserTest.class.getResourceAsStream("/" + file.getName())) {
            assertThat(in).as("in the jar").isNotNull();
            text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
        FileDescriptorProto parsed = ProtoParser.parse(file.getName(), text);
        FileDescriptor built =
                FileDescriptor.buildFrom(parsed, file.getDependencies().toArray(new FileDescriptor[0]));

        assertThat(bare(built.toProto())).isEqualTo(bare(file.toProto()));
    }

    /** Without what is passed over: options; and with all types by their full names. */
    private static FileDescriptorProto bare(FileDescriptorProto file) throws Exception {
        FileDescriptor built = FileDescriptor.buildFrom(file, wellKnown().toArray(new FileDescriptor[0]), true);
        FileDescriptorProto.Builder bare = built.toProto().toBuilder().clearOptions();
        if (bare.getSyntax().equals("proto2")) {
            bare.clearSyntax(); // which is what it is unless told
        }
        bare.clearMessageType().clearEnumType();
        built.getMessageTypes().forEach(each -> bare.addMessageType(bare(each.toProto(), each)));
        built.getEnumTypes().forEach(each -> bare.addEnumType(bare(each.toProto())));
        return bare.build();
    }

    private static DescriptorProto bare(
            DescriptorProto message, com.google.protobuf.Descriptors.Descriptor descriptor) {
        DescriptorProto.Builder bare = message.toBuilder()
                .clearExtensionRange()
                .clearReservedRange()
                .clearReservedName()
                .clearField()
                .clearNestedType()
                .clearEnumType();
        if (!message.getOptions().getMapEntry()) {
            bare.clearOptions();
        }
        descriptor.getFields().forEach(field -> {
            FieldDescriptorProto.Builder each = field.toProto().toBuilder()
                    .clearOptions()
                    .setJsonName(field.getJsonName())
                    .setType(field.getType().toProto());
            if (each.hasTypeName()) {
                each.setTypeName(
                        field.getType() == com.google.protobuf.Descriptors.FieldDescriptor.Type.ENUM
                                ? field.getEnumType().getFullName()
                                : field.getMessageType().getFullName());
            }
            bare.addField(each);
        });
        descriptor.getNestedTypes().stream()
                .sorted(Comparator.comparing(each -> each.getName()))
                .forEach(each -> bare.addNestedType(bare(each.toProto(), each)));
        descriptor.getEnumTypes().forEach(each -> bare.addEnumType(bare(each.toProto())));
        return bare.build();
    }

    private static EnumDescriptorProto bare(EnumDescriptorProto type) {
        EnumDescriptorProto.Builder bare =
                type.toBuilder().clearOptions().clearReservedRange().clearReservedName();
        bare.getValueBuilderList().forEach(value -> value.clearOptions());
        return bare.build();
    }

    @Test
    void shouldReadDefaultsOptionsAndComments() throws Exception {
        FileDescriptorProto file = ProtoParser.parse("x.proto", """
                // a comment
                syntax = 'proto2'; package a.b; /* another
                one */
                option java_package = "x"; option (some).thing = { a: { b: 1 } c: [1, 2] };
                message M {
                  optional int32 i = 0x10 [default = -0x1F, (custom) = { a: "]" }];
                  optional string s = 2 [default = "a\\n" 'b', deprecated = true];
                  optional .a.b.M.Kind k = 3 [default = TWO];
                  optional double d = 4 [default = -1.5e3];
                  optional bytes y = 5 [default = "\\1" '2"', deprecated = true];
                  enum Kind { option allow_alias = true; ONE = 1 [deprecated = true]; UNO = 1; TWO = -2; }
                  reserved 6 to 8, 10 to max; reserved "old";
                  extensions 100 to 199 [declaration = {number: 100}];
                  extend M { optional int32 ext = 100; }
                  oneof choice { option (o) = 1; string a = 11; M m = 12; }
                  map<string, M> ms = 13;
                  ;
                }
                service S { rpc Call (M) returns (stream M) { option (http) = { get: "/" }; } }
                """);
        var message = FileDescriptor.buildFrom(file, new FileDescriptor[0])
                .getMessageTypes()
                .get(0);

        assertThat(message.findFieldByName("i").getNumber()).isEqualTo(16);
        assertThat(message.findFieldByName("i").getDefaultValue()).isEqualTo(-31);
        assertThat(message.findFieldByName("s").getDefaultValue()).isEqualTo("a\nb");
        assertThat(message.findFieldByName("k").getDefaultValue()).hasToString("TWO");
        assertThat(message.findFieldByName("d").getDefaultValue()).isEqualTo(-1500.0);
        assertThat(message.findFieldByName("y").getDefaultValue())
                .isEqualTo(com.google.protobuf.ByteString.copyFrom(new byte[] {1, '2', '"'}));
        assertThat(message.findFieldByName("m").getContainingOneof().getName()).isEqualTo("choice");
        assertThat(message.findFieldByName("ms").isMapField()).isTrue();
    }

    @Test
    void shouldSayWhereATextIsNoSchema() {
        assertThatThrownBy(() -> ProtoParser.parse("x", "syntax = \"proto3\";\nmessage M {\n  int32 = 1;\n}"))
                .isInstanceOf(InvalidSchemaException.class)
                .hasMessage("line 3: a name is expected, found '='");
        assertThatThrownBy(() -> ProtoParser.parse("x", "edition = \"2023\";")).hasMessageContaining("editions");
        assertThatThrownBy(() -> ProtoParser.parse("x", "syntax = \"proto3\"; message M { int32 a = 1;"))
                .hasMessageContaining("ends too early");
        assertThatThrownBy(() -> ProtoParser.parse("x", "message M { \" ")).hasMessageContaining("line 1");
        assertThatThrownBy(() -> ProtoSchema.of(new SchemaText(
                        SchemaKind.PROTOBUF, "syntax = \"proto3\"; message M { Nobody a = 1; }", "schema 3")))
                .isInstanceOf(InvalidSchemaException.class)
                .hasMessageStartingWith("schema 3 is no Protobuf schema")
                .hasMessageContaining("Nobody");
    }
}
