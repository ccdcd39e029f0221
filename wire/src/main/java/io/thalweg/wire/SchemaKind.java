// SPDX-License-Identifier: Apache-2.0
package io.thalweg.wire;

/** Kinds of schemas, named as a schema registry names them. */
enum SchemaKind {
    AVRO("avsc"),
    PROTOBUF("proto"),
    /** Known to registries, and to nobody here. */
    OTHER("");

    final String ending;

    SchemaKind(String ending) {
        this.ending = ending;
    }

    static SchemaKind named(String name) {
        return name.equals("AVRO") ? AVRO : name.equals("PROTOBUF") ? PROTOBUF : OTHER;
    }
}
