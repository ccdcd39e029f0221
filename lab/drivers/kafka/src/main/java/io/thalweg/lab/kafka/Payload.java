// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.kafka;

import io.thalweg.lab.driver.Cell;
import io.thalweg.lab.driver.RefusedException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** A record's value: its number in the first eight bytes, big endian, and whatever fills it up. */
final class Payload {
    private static final VarHandle NUMBER = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

    private Payload() {}

    /** Bytes of a value; those of the study if the cell says nothing. */
    static int size(Cell cell) throws RefusedException {
        int size = (int) cell.number("payload", 1024);
        if (size < Long.BYTES) {
            throw new RefusedException("a value in Kafka needs 8 bytes or more here, to hold its number");
        }
        return size;
    }

    static void number(byte[] value, long number) {
        NUMBER.set(value, 0, number);
    }

    static long number(byte[] value) {
        return (long) NUMBER.get(value, 0);
    }
}
