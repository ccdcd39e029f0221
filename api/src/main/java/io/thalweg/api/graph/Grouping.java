// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.graph;

import io.thalweg.api.codec.Type;
import io.thalweg.api.operator.Partitioner;
import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/**
 * Which task of the next operator a record goes to. Whoever routes records handles each kind in a {@link GroupingVisitor}, so
 * that a new kind does not compile until all of them do.
 */
public sealed interface Grouping extends Serializable {
    /** True if records stay in their task if both sides have the same parallelism. */
    boolean leadsOn();

    /** The key that it goes by; null if it goes by none. */
    default @Nullable KeySpec key() {
        return null;
    }

    /**
     * What is read of a record to choose among so many tasks: its key, or the number of its task; null if nothing is. A record of
     * which it cannot be read is bad.
     */
    default @Nullable KeySpec goesBy(int tasks) {
        return key();
    }

    /** True if each record goes to every task. */
    default boolean copies() {
        return false;
    }

    /** True if both sides must have the same parallelism. */
    default boolean needsEqualParallelism() {
        return false;
    }

    /** {@code shuffle}, {@code by key Group}. */
    String describe();

    /** Where a record goes, if it does not stay in its task. */
    String goal();

    /** Calls the visitor's method for this kind. */
    <R> R accept(GroupingVisitor<R> visitor);

    /** A grouping that goes to each task in turn, unless it leads on. */
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

    /** Nothing was asked for: forward if both sides have the same parallelism, shuffle if not. */
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

    /** Stays where it is if it can: forward if both sides have the same parallelism, shuffle if not. */
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

    /** To each task in turn. */
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

    /** Task i to task i; both sides must have the same parallelism. */
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

    /** To the task that owns the key's group. */
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

    /** To the task that a user's function chooses. */
    record Custom(Partitioner<Object> partitioner) implements Grouping {
        /** Asks the partitioner, and checks what it says. */
        public int task(Object value, int tasks) throws Exception {
            int task = partitioner.task(value, tasks);
            if (task < 0 || task >= tasks) {
                throw new IndexOutOfBoundsException("the partitioner chose task " + task + " for " + value
                        + ", but they are numbered from 0 to " + (tasks - 1));
            }
            return task;
        }

        @Override
        public KeySpec goesBy(int tasks) {
            @SuppressWarnings("unchecked") // a key is read, never written
            Type<Object> number = (Type<Object>) (Type<?>) Type.of(Integer.class);
            return new KeySpec(value -> task(value, tasks), number);
        }

        @Override
        public boolean leadsOn() {
            return false;
        }

        @Override
        public String describe() {
            return "by partitioner";
        }

        @Override
        public String goal() {
            return "the task that a partitioner chooses";
        }

        @Override
        public <R> R accept(GroupingVisitor<R> visitor) {
            return visitor.custom(this);
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
