// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.route;

import io.thalweg.api.codec.Codec;
import io.thalweg.api.codec.StableHash;
import io.thalweg.api.graph.Grouping;
import io.thalweg.api.operator.MapFunction;
import io.thalweg.api.operator.NullValueException;
import io.thalweg.engine.chain.Frame;

/** Chooses one of several tasks for each record. Made by a specialiser. */
public interface Chooser {
    /** The record is bad, and has been counted. */
    int NONE = -1;

    /** Number of the task, or {@link #NONE}. */
    int choose(Object value) throws Exception;

    /** Each task in turn. */
    final class InTurn implements Chooser {
        private final int tasks;
        private int next;

        public InTurn(int tasks, int first) {
            this.tasks = tasks;
            next = first % tasks;
        }

        @Override
        public int choose(Object value) {
            int task = next;
            next = task + 1 == tasks ? 0 : task + 1;
            return task;
        }
    }

    /** The task that owns the key's group. */
    final class ByKey implements Chooser {
        private final int tasks;
        private final Frame frame;
        private final String operator;
        private final MapFunction<Object, Object> key;
        private final Codec<Object> keyCodec;

        public ByKey(int tasks, Frame frame, String operator, MapFunction<Object, Object> key, Codec<Object> keyCodec) {
            this.tasks = tasks;
            this.frame = frame;
            this.operator = operator;
            this.key = key;
            this.keyCodec = keyCodec;
        }

        @Override
        public int choose(Object value) throws Exception {
            int hash;
            try {
                Object k = key.apply(value);
                if (k == null) {
                    throw NullValueException.ofKey(key, value);
                }
                hash = keyCodec.hash(k);
            } catch (Throwable thrown) {
                frame.onThrown(operator, thrown);
                return NONE;
            }
            return StableHash.taskOf(StableHash.keyGroup(hash), tasks);
        }
    }

    /** The task that a user's partitioner names. */
    final class Custom implements Chooser {
        private final int tasks;
        private final Frame frame;
        private final String operator;
        private final Grouping.Custom grouping;

        public Custom(int tasks, Frame frame, String operator, Grouping.Custom grouping) {
            this.tasks = tasks;
            this.frame = frame;
            this.operator = operator;
            this.grouping = grouping;
        }

        @Override
        public int choose(Object value) throws Exception {
            try {
                return grouping.task(value, tasks);
            } catch (Throwable thrown) {
                frame.onThrown(operator, thrown);
                return NONE;
            }
        }
    }
}
