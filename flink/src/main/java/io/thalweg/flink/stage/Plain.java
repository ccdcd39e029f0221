// SPDX-License-Identifier: Apache-2.0
package io.thalweg.flink.stage;

import io.thalweg.api.codec.Codec;
import io.thalweg.api.codec.Signatures;
import io.thalweg.api.codec.Type;
import io.thalweg.api.graph.KeySpec;
import io.thalweg.api.operator.FilterFunction;
import io.thalweg.api.operator.FlatMapFunction;
import io.thalweg.api.operator.MapFunction;
import io.thalweg.api.operator.NullValueException;
import io.thalweg.api.operator.PeekFunction;
import org.jspecify.annotations.Nullable;

/** Stateless operators. */
public final class Plain {
    private Plain() {}

    /** Emits one record for each. */
    public static final class Map extends OneInput {
        private static final long serialVersionUID = 1L;

        private final MapFunction<Object, Object> function;

        public Map(StageSettings settings, MapFunction<Object, Object> function) {
            super(settings);
            this.function = function;
        }

        @Override
        void accept(Object value) throws Exception {
            Object result;
            try {
                result = function.apply(value);
                if (result == null) {
                    throw NullValueException.ofMap(function, value);
                }
            } catch (Throwable thrown) {
                onThrown(thrown);
                return;
            }
            emit(result);
        }
    }

    /** Passes the records for which the predicate is true. */
    public static final class Filter extends OneInput {
        private static final long serialVersionUID = 1L;

        private final FilterFunction<Object> function;

        public Filter(StageSettings settings, FilterFunction<Object> function) {
            super(settings);
            this.function = function;
        }

        @Override
        void accept(Object value) throws Exception {
            boolean passes;
            try {
                passes = function.test(value);
            } catch (Throwable thrown) {
                onThrown(thrown);
                return;
            }
            if (passes) {
                emit(value);
            }
        }
    }

    /** Calls a function with each record. */
    public static final class Peek extends OneInput {
        private static final long serialVersionUID = 1L;

        private final PeekFunction<Object> function;

        public Peek(StageSettings settings, PeekFunction<Object> function) {
            super(settings);
            this.function = function;
        }

        @Override
        void accept(Object value) throws Exception {
            try {
                function.accept(value);
            } catch (Throwable thrown) {
                onThrown(thrown);
                return;
            }
            emit(value);
        }
    }

    /** Emits any number of records for each. */
    public static final class FlatMap extends OneInput {
        private static final long serialVersionUID = 1L;

        private final FlatMapFunction<Object, Object> function;

        public FlatMap(StageSettings settings, FlatMapFunction<Object, Object> function) {
            super(settings);
            this.function = function;
        }

        @Override
        void accept(Object value) throws Exception {
            long ofTime = time;
            long ofStamp = stamp;
            try {
                Iterable<?> records = function.apply(value);
                if (records == null) {
                    throw NullValueException.ofFlatMap(function, value);
                }
                for (Object each : records) {
                    emit(each, ofTime, ofStamp);
                }
            } catch (Throwable thrown) {
                onThrown(thrown);
            }
        }

        @SuppressWarnings("NullAway") // a user's function may return null
        private void emit(Object each, long ofTime, long ofStamp) {
            if (each == null) {
                throw new NullValueException(Signatures.describe(function)
                        + ", given to flatMap, returned a null among its records; leave it out");
            }
            try {
                emit(null, each, ofTime, ofStamp);
            } catch (Exception e) {
                throw new Downstream(e);
            }
        }
    }

    /** Passes all records: a union, or a stream whose event time is not needed downstream. */
    public static final class Same extends OneInput {
        private static final long serialVersionUID = 1L;

        public Same(StageSettings settings) {
            super(settings);
        }

        @Override
        void accept(Object value) {
            emit(value);
        }
    }

    /** Emits copies, if a source reuses its records and a stream is used several times. */
    public static final class Copy extends OneInput {
        private static final long serialVersionUID = 1L;

        private final Type<Object> type;
        private transient @Nullable Codec<Object> codec;

        public Copy(StageSettings settings, Type<Object> type) {
            super(settings);
            this.type = type;
        }

        @Override
        void begin() throws Exception {
            codec = type.codec();
        }

        @Override
        void accept(Object value) {
            emit(opened(codec).copy(value));
        }
    }

    /**
     * Passes records that have a key; others are bad. Used before a grouping that leads to one of several inputs of an
     * operator.
     */
    public static final class HasKey extends OneInput {
        private static final long serialVersionUID = 1L;

        private final KeySpec key;

        public HasKey(StageSettings settings, KeySpec key) {
            super(settings);
            this.key = key;
        }

        @Override
        void accept(Object value) throws Exception {
            try {
                if (key.function().apply(value) == null) {
                    throw NullValueException.ofKey(key.function(), value);
                }
            } catch (Throwable thrown) {
                onThrown(thrown);
                return;
            }
            emit(value);
        }
    }
}
