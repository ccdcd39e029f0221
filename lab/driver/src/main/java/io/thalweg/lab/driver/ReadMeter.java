// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.driver;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * Counts what one source task read from outside, such as from Kafka, as records sent. Where a {@link Load} makes up the records,
 * that counts by itself. One thread writes; the meters' thread reads.
 */
public final class ReadMeter implements AutoCloseable {
    private static final VarHandle COUNT;
    private static final VarHandle SUM;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            COUNT = lookup.findVarHandle(ReadMeter.class, "count", long.class);
            SUM = lookup.findVarHandle(ReadMeter.class, "sum", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final Meters meters;
    private long count;
    private long sum;

    /** Of a run that checks every record; null otherwise. */
    private final @Nullable CheckLog log;

    ReadMeter(Meters meters, @Nullable CheckLog log) {
        this.meters = meters;
        this.log = log;
    }

    /** Counts a record by its number, once it is on its way into the engine. */
    public void read(long number) {
        SUM.setOpaque(this, sum + number);
        COUNT.setOpaque(this, count + 1);
        if (log != null) {
            log.add(number);
        }
    }

    @Nullable CheckLog log() {
        return log;
    }

    long count() {
        return (long) COUNT.getOpaque(this);
    }

    long sum() {
        return (long) SUM.getOpaque(this);
    }

    /** Says that this task is done, so that a worker of a cluster can write its last figures. */
    @Override
    public void close() {
        meters.taskClosed();
    }
}
