// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.route;

import io.thalweg.api.codec.Codec;
import io.thalweg.api.codec.StableHash;
import io.thalweg.api.graph.Grouping;
import io.thalweg.api.operator.MapFunction;
import io.thalweg.api.operator.NullValueException;
import io.thalweg.engine.chain.Frame;
import io.thalweg.engine.chain.Specialiser;

/** Chooses one of several downstream tasks for each record. Made by a specialiser. */
interface Chooser {
    /** The record is bad, and has been counted. */
    int NONE = -1;

    /** Number of the task, or {@link #NONE}. */
    int choose(Object value) throws Exception;

    /** Each task in turn. */
    final class InTurn implements Chooser {
        private final int tasks;
        private int next;

        record Parts(int tasks, int first) implements Specialiser.Parts<Chooser> {
            @Override
            public Class<InTurn> type() {
                return InTurn.class;
            }
        }

        InTurn(InTurn.Parts parts) {
            tasks = parts.tasks();
            next = parts.first() % parts.tasks();
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

        record Parts(int tasks, Frame frame, String operator, MapFunction<Object, Object> key, Codec<Object> keyCodec)
                implements Specialiser.Parts<Chooser> {
            @Override
            public Class<ByKey> type() {
                return ByKey.class;
            }
        }

        ByKey(ByKey.Parts parts) {
            tasks = parts.tasks();
            frame = parts.frame();
            operator = parts.operator();
            key = parts.key();
            keyCodec = parts.keyCodec();
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

    /** The task that a user's partitioner names, or the record itself. */
    final class ByRecord implements Chooser {
        private final int tasks;
        private final Frame frame;
        private final String operator;
        private final Grouping.Chosen grouping;

        record Parts(int tasks, Frame frame, String operator, Grouping.Chosen grouping)
                implements Specialiser.Parts<Chooser> {
            @Override
            public Class<ByRecord> type() {
                return ByRecord.class;
            }
        }

        ByRecord(ByRecord.Parts parts) {
            tasks = parts.tasks();
            frame = parts.frame();
            operator = parts.operator();
            grouping = parts.grouping();
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
