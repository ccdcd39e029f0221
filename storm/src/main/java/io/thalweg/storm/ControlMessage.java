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
 * @param life a number of its own for each time the task was begun
 * @param text an operator's name, or what there is to say
 */
record ControlMessage(Kind kind, int task, long life, long number, String text, byte[] bytes) {
    enum Kind {
        /** The task is open. */
        OPENED,
        /** It is still there. */
        PULSE,
        /** What it has counted. */
        COUNTS,
        /** What its worker, which the text names, has used. */
        PROCESS,
        /** Records of a source that are pending, are done, and have failed. */
        ACKS,
        /** What is ordered; from who watches to the tasks. */
        ORDERS,
        /** A bad record, at the operator that the text names. */
        BAD,
        /** What a sink prints. */
        CONSOLE,
        /** What the task remembers at the checkpoint of that number, 0 at its end. */
        SAVED,
        /** A limit wants no more input; its number in the graph. */
        REACHED,
        DRAINED,
        COMMITTED,
        /** The job cannot go on; the text says why. */
        FAILED,
        /** A task was restarted, and what it had remembered is gone. */
        LOST,
        /** A checkpoint is complete. */
        CHECKPOINT,
        /** Something is not as it should be; the text says what. */
        WARNING,
        /** All is done. */
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

    /** What a worker's tasks remembered is gone with it. */
    static ControlMessage lost(String topology) {
        return of(Kind.LOST, 0, 0, "a worker of topology '" + topology + "' died, and the state of its tasks is lost");
    }

    /** A failure that is not to be followed by another start. */
    static ControlMessage failedForGood(String reason) {
        return new ControlMessage(Kind.FAILED, 0, 0, 1, reason, NOTHING);
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

    /** The numbers that the text holds. */
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

    /** How a message goes from one worker to another; Kryo makes one by reflection. */
    public static final class OfNote extends Serializer<ControlMessage> {
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
