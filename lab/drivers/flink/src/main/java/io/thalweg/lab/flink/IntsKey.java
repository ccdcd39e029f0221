// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.flink;

import java.io.IOException;
import java.util.Arrays;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;
import org.apache.flink.types.CopyableValue;

/** Dimensions that are numbers, to key by: a type of Flink that says itself how it is serialized. Never changed once it is read. */
public final class IntsKey implements CopyableValue<IntsKey> {
    private static final long serialVersionUID = 1L;

    private int[] values = {};
    private int hash;

    public IntsKey() {}

    IntsKey(int[] values) {
        set(values);
    }

    int[] values() {
        return values;
    }

    private void set(int[] values) {
        this.values = values;
        this.hash = Arrays.hashCode(values);
    }

    @Override
    public void write(DataOutputView out) throws IOException {
        out.writeInt(values.length);
        for (int value : values) {
            out.writeInt(value);
        }
    }

    @Override
    public void read(DataInputView in) throws IOException {
        int[] read = new int[in.readInt()];
        for (int i = 0; i < read.length; i++) {
            read[i] = in.readInt();
        }
        set(read);
    }

    @Override
    public int getBinaryLength() {
        return -1; // depends on how many there are
    }

    @Override
    public void copyTo(IntsKey target) {
        target.values = values;
        target.hash = hash;
    }

    @Override
    public IntsKey copy() {
        return this;
    }

    @Override
    public void copy(DataInputView in, DataOutputView out) throws IOException {
        int length = in.readInt();
        out.writeInt(length);
        out.write(in, length * Integer.BYTES);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof IntsKey key && key.hash == hash && Arrays.equals(key.values, values);
    }

    @Override
    public int hashCode() {
        return hash;
    }
}
