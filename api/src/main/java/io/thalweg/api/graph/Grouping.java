// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.graph;

import io.thalweg.api.codec.Type;
import io.thalweg.api.operator.Addressed;
import io.thalweg.api.operator.Partitioner;
import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/**
 * Which task of the next operator a record goes to. A runner handles each kind in a {@link GroupingVisitor}, so that a
 * new kind does not compile until every runner supports it.
 */
public sealed interface Grouping extends Serializable {
    /**
     * Whether records stay in their task if both operators have the same parallelism, so that the operators can be
     * fused.
     */
    boolean leadsOn();

    /** The key of a grouping by key; null for all others. */
    default @Nullable KeySpec key() {
        return null;
    }

    /**
     * What is read from a record to choose among {@code tasks} tasks: its key, or the number of its task; null if
     * nothing is. If reading it throws {@link io.thalweg.api.operator.BadRecordException}, the record is bad.
     */
    default @Nullable KeySpec goesBy(int tasks) {
        return key();
    }

    /** Whether each record goes to every task. */
    default boolean copies() {
        return false;
    }

    /** Whether both operators must have the same parallelism. */
    default boolean needsEqualParallelism() {
        return false;
    }

    /** For plans: {@code shuffle}, {@code by key Group}. */
    String describe();

    /** Where a record goes, if it does not stay in its task; for messages. */
    String goal();

    /** Calls the visitor's method for this kind of grouping. */
    <R> R accept(GroupingVisitor<R> visitor);

    /** A grouping that distributes records round robin, unless it {@link #leadsOn} and the parallelism is equal. */
    sealed interface InTurn extends Grouping {
        @Override
        default String goal() {
            return "the next task in turn";
        }

        @Override
        default <R> R accept(GroupingVisitor<R> visitor) {
            return visitor.inTurn(this);
        }
    }

    /** No grouping was chosen: forward if both operators have the same parallelism, otherwise round robin. */
    record Auto() implements InTurn {
        @Override
        public boolean leadsOn() {
            return true;
        }

        @Override
        public String describe() {
            return "auto";
        }
    }

    /** Forward if both operators have the same parallelism, otherwise round robin. */
    record LocalOrShuffle() implements InTurn {
        @Override
        public boolean leadsOn() {
            return true;
        }

        @Override
        public String describe() {
            return "local or shuffle";
        }
    }

    /** Round robin to all tasks. */
    record Shuffle() implements InTurn {
        @Override
        public boolean leadsOn() {
            return false;
        }

        @Override
        public String describe() {
            return "shuffle";
        }
    }

    /** From task i to task i; both operators must have the same parallelism. */
    record Forward() implements Grouping {
        @Override
        public boolean leadsOn() {
            return true;
        }

        @Override
        public boolean needsEqualParallelism() {
            return true;
        }

        @Override
        public String describe() {
            return "forward";
        }

        @Override
        public String goal() {
            return "the task of the same number";
        }

        @Override
        public <R> R accept(GroupingVisitor<R> visitor) {
            return visitor.forward(this);
        }
    }

    /**
     * To the task that owns the key group.
     *
     * @param key of the records
     */
    record ByKey(KeySpec key) implements Grouping {
        @Override
        public boolean leadsOn() {
            return false;
        }

        @Override
        public String describe() {
            return "by key " + key.type();
        }

        @Override
        public String goal() {
            return "the task of its key";
        }

        @Override
        public <R> R accept(GroupingVisitor<R> visitor) {
            return visitor.byKey(this);
        }
    }

    /** A grouping that reads the number of the task from the record, by means of the user's. */
    sealed interface Chosen extends Grouping {
        /**
         * The task that the record goes to.
         *
         * @throws IndexOutOfBoundsException if there is no such task
         */
        int task(Object value, int tasks) throws Exception;

        @Override
        default KeySpec goesBy(int tasks) {
            @SuppressWarnings("unchecked") // a key is read, never written
            Type<Object> number = (Type<Object>) (Type<?>) Type.of(Integer.class);
            return new KeySpec(value -> task(value, tasks), number);
        }

        @Override
        default boolean leadsOn() {
            return false;
        }

        @Override
        default <R> R accept(GroupingVisitor<R> visitor) {
            return visitor.chosen(this);
        }
    }

    /**
     * To the task that a user's function chooses.
     *
     * @param partitioner chooses the task
     */
    record Custom(Partitioner<Object> partitioner) implements Chosen {
        @Override
        public int task(Object value, int tasks) throws Exception {
            int task = partitioner.task(value, tasks);
            if (task < 0 || task >= tasks) {
                throw new IndexOutOfBoundsException("the partitioner chose task " + task + " for " + value
                        + ", but they are numbered from 0 to " + (tasks - 1));
            }
            return task;
        }

        @Override
        public String describe() {
            return "by partitioner";
        }

        @Override
        public String goal() {
            return "the task that a partitioner chooses";
        }
    }

    /**
     * To the task that the record names: records are {@link Addressed}. The operator behind must have a parallelism of
     * its own, so that whoever emits them knows which tasks there are.
     */
    record Direct() implements Chosen {
        @Override
        public int task(Object value, int tasks) {
            int task = ((Addressed) value).task();
            if (task < 0 || task >= tasks) {
                throw new IndexOutOfBoundsException(
                        value + " is for task " + task + ", but they are numbered from 0 to " + (tasks - 1));
            }
            return task;
        }

        @Override
        public String describe() {
            return "direct";
        }

        @Override
        public String goal() {
            return "the task that it names";
        }
    }

    /** To every task. */
    record Broadcast() implements Grouping {
        @Override
        public boolean leadsOn() {
            return false;
        }

        @Override
        public boolean copies() {
            return true;
        }

        @Override
        public String describe() {
            return "broadcast";
        }

        @Override
        public String goal() {
            return "every task";
        }

        @Override
        public <R> R accept(GroupingVisitor<R> visitor) {
            return visitor.broadcast(this);
        }
    }

    /** To task 0. */
    record Global() implements Grouping {
        @Override
        public boolean leadsOn() {
            return false;
        }

        @Override
        public String describe() {
            return "global";
        }

        @Override
        public String goal() {
            return "task 0";
        }

        @Override
        public <R> R accept(GroupingVisitor<R> visitor) {
            return visitor.global(this);
        }
    }
}
