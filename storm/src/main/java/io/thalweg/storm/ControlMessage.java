// SPDX-License-Identifier: Apache-2.0
package io.thalweg.storm;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.Serializer;
import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;
import io.thalweg.api.codec.ByteReader;
import io.thalweg.api.codec.ByteWriter;
import io.thalweg.api.codec.Codec;
import io.thalweg.api.codec.Type;
import io.thalweg.api.connector.BadRecord;
import io.thalweg.api.stats.CheckpointStats;
import io.thalweg.api.stats.ProcessStats;
import io.thalweg.engine.HostedCounts;
import io.thalweg.engine.HostedOrders;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A message from a task to the watch bolt, or from the watch bolt to the client that started the job.
 *
 * @param task its number in the job
 * @param life random id of each start of the task
 * @param text an operator's name, or a message
 */
record ControlMessage(Kind kind, int task, long life, long number, String text, byte[] bytes) {
    enum Kind {
        /** The task is open; the number is 1 if its outputs are restored, or need not be. */
        OPENED,
        /** The task is alive. */
        PULSE,
        /** The counts of the task. */
        COUNTS,
        /** What a worker, which the text names, has used. */
        PROCESS,
        /** How many records of a source are pending, acked and failed. */
        ACKS,
        /** The orders of the watch bolt to the tasks. */
        ORDERS,
        /** A bad record; the text names the operator. */
        BAD,
        /** Output of a console sink. */
        CONSOLE,
        /** The state of the task at the checkpoint with this number; 0 for the last state. */
        SAVED,
        /** A limit is reached; the number is that in the graph. */
        REACHED,
        DRAINED,
        COMMITTED,
        /** The job has failed; the text says why. */
        FAILED,
        /** A task was restarted, and its state is lost, or tuples on their way to it. */
        LOST,
        /** A checkpoint is complete. */
        CHECKPOINT,
        /** A warning for the user, in the text. */
        WARNING,
        /** The job has ended. */
        OVER
    }

    static final Codec<HostedCounts> COUNTS = Type.of(HostedCounts.class).codec();
    static final Codec<ProcessStats> PROCESS = Type.of(ProcessStats.class).codec();
    static final Codec<BadRecord> BAD = Type.of(BadRecord.class).codec();
    static final Codec<CheckpointStats> CHECKPOINT =
            Type.of(CheckpointStats.class).codec();
    private static final byte[] NOTHING = {};

    static ControlMessage of(Kind kind, int task, long life) {
        return new ControlMessage(kind, task, life, 0, "", NOTHING);
    }

    static ControlMessage of(Kind kind, int task, long life, String text) {
        return new ControlMessage(kind, task, life, 0, text, NOTHING);
    }

    /** A worker was lost, with the state of its tasks. */
    static ControlMessage lost(String topology) {
        return of(Kind.LOST, 0, 0, "a worker of topology '" + topology + "' died, and the state of its tasks is lost");
    }

    /** A failure after which the job must not be restarted. */
    static ControlMessage failedForGood(String reason) {
        return new ControlMessage(Kind.FAILED, 0, 0, 1, reason, NOTHING);
    }

    /** No other message follows. */
    boolean endsJob() {
        return kind == Kind.OVER || kind == Kind.FAILED || kind == Kind.LOST;
    }

    boolean isFailedForGood() {
        return kind == Kind.FAILED && number == 1;
    }

    static <T> ControlMessage of(Kind kind, int task, long life, String text, Codec<T> codec, T value) {
        ByteWriter out = new ByteWriter(256);
        codec.encode(value, out);
        return new ControlMessage(kind, task, life, 0, text, out.toByteArray());
    }

    <T> T decoded(Codec<T> codec) {
        return codec.decode(new ByteReader(bytes));
    }

    static ControlMessage of(HostedOrders orders) {
        return of(
                Kind.ORDERS,
                0,
                0,
                orders.numbers().stream().map(String::valueOf).collect(Collectors.joining(" ")));
    }

    /** Parses the numbers in the text. */
    List<Long> numbers() {
        return Arrays.stream(text.split(" ")).map(Long::valueOf).toList();
    }

    void writeTo(ByteWriter out) {
        out.writeText(kind.name());
        out.writeVarLong(task);
        out.writeLong(life);
        out.writeVarLong(number);
        out.writeText(text);
        out.writeBytes(bytes);
    }

    static ControlMessage read(ByteReader in) {
        Kind kind = Kind.valueOf(in.readText());
        return new ControlMessage(
                kind, (int) in.readVarLong(), in.readLong(), in.readVarLong(), in.readText(), in.readBytes());
    }

    /** Serializes messages between workers; Kryo creates it by reflection. */
    public static final class KryoSerializer extends Serializer<ControlMessage> {
        @Override
        public void write(Kryo kryo, Output out, ControlMessage message) {
            ByteWriter writer = new ByteWriter(64 + message.bytes.length);
            message.writeTo(writer);
            byte[] bytes = writer.toByteArray();
            out.writeVarInt(bytes.length, true);
            out.writeBytes(bytes);
        }

        @Override
        public ControlMessage read(Kryo kryo, Input in, Class<? extends ControlMessage> type) {
            return ControlMessage.read(new ByteReader(in.readBytes(in.readVarInt(true))));
        }
    }
}
