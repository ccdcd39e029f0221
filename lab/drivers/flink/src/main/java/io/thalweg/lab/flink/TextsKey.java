// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.flink;

import java.io.IOException;
import java.util.Arrays;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;
import org.apache.flink.types.CopyableValue;
import org.apache.flink.types.StringValue;
import org.jspecify.annotations.Nullable;

/** Dimensions that are texts or null, to key by: a type of Flink that says itself how it is serialized. Never changed once it is read. */
public final class TextsKey implements CopyableValue<TextsKey> {
    private static final long serialVersionUID = 1L;

    private @Nullable String[] values = {};
    private int hash;

    public TextsKey() {}

    /** @param hash as of {@link io.thalweg.workloads.telecom.FlatKey} */
    TextsKey(@Nullable String[] values, int hash) {
        this.values = values;
        this.hash = hash;
    }

    @Override
    public void write(DataOutputView out) throws IOException {
        out.writeInt(hash);
        out.writeInt(values.length);
        for (String value : values) {
            StringValue.writeString(value, out);
        }
    }

    @Override
    public void read(DataInputView in) throws IOException {
        hash = in.readInt();
        @Nullable String[] read = new String[in.readInt()];
        for (int i = 0; i < read.length; i++) {
            read[i] = StringValue.readString(in);
        }
        values = read;
    }

    @Override
    public int getBinaryLength() {
        return -1; // depends on the texts
    }

    @Override
    public void copyTo(TextsKey target) {
        target.values = values;
        target.hash = hash;
    }

    @Override
    public TextsKey copy() {
        return this;
    }

    @Override
    public void copy(DataInputView in, DataOutputView out) throws IOException {
        out.writeInt(in.readInt());
        int length = in.readInt();
        out.writeInt(length);
        for (int i = 0; i < length; i++) {
            StringValue.copyString(in, out);
        }
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof TextsKey key && key.hash == hash && Arrays.equals(key.values, values);
    }

    @Override
    public int hashCode() {
        return hash;
    }
}
