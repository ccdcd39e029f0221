// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.chain;

import io.thalweg.api.operator.FilterFunction;
import io.thalweg.api.operator.MapFunction;
import io.thalweg.api.operator.NullValueException;
import io.thalweg.api.operator.PeekFunction;
import org.jspecify.annotations.Nullable;

/** Stages that emit at most one record for each. Made by a {@link Specialiser}. */
final class Simple {
    private Simple() {}

    static final class Map implements Receiver {
        private final String operator;
        private final Frame frame;
        private final MapFunction<Object, Object> function;
        private final Receiver next;

        record Parts(String operator, Frame frame, MapFunction<Object, Object> function, Receiver next)
                implements Specialiser.Parts<Receiver> {
            @Override
            public Class<Map> type() {
                return Map.class;
            }
        }

        Map(Map.Parts parts) {
            operator = parts.operator();
            frame = parts.frame();
            function = parts.function();
            next = parts.next();
        }

        @Override
        public void accept(Object value) throws Exception {
            @Nullable Object result;
            try {
                result = function.apply(value);
            } catch (Throwable thrown) {
                frame.onThrown(operator, thrown);
                return;
            }
            if (result == null) {
                throw new OperatorException(
                        operator, frame.split, frame.offset, NullValueException.ofMap(function, value));
            }
            next.accept(result);
        }
    }

    /**
     * Rejects records without a key, even if the next operator does not need it: so a record is bad at any parallelism
     * or at none.
     */
    static final class HasKey implements Receiver {
        private final String operator;
        private final Frame frame;
        private final MapFunction<Object, Object> key;
        private final Receiver next;

        record Parts(String operator, Frame frame, MapFunction<Object, Object> key, Receiver next)
                implements Specialiser.Parts<Receiver> {
            @Override
            public Class<HasKey> type() {
                return HasKey.class;
            }
        }

        HasKey(HasKey.Parts parts) {
            operator = parts.operator();
            frame = parts.frame();
            key = parts.key();
            next = parts.next();
        }

        @Override
        public void accept(Object value) throws Exception {
            try {
                if (key.apply(value) == null) {
                    throw NullValueException.ofKey(key, value);
                }
            } catch (Throwable thrown) {
                frame.onThrown(operator, thrown);
                return;
            }
            next.accept(value);
        }
    }

    static final class Filter implements Receiver {
        private final String operator;
        private final Frame frame;
        private final FilterFunction<Object> function;
        private final Receiver next;

        record Parts(String operator, Frame frame, FilterFunction<Object> function, Receiver next)
                implements Specialiser.Parts<Receiver> {
            @Override
            public Class<Filter> type() {
                return Filter.class;
            }
        }

        Filter(Filter.Parts parts) {
            operator = parts.operator();
            frame = parts.frame();
            function = parts.function();
            next = parts.next();
        }

        @Override
        public void accept(Object value) throws Exception {
            boolean passes;
            try {
                passes = function.test(value);
            } catch (Throwable thrown) {
                frame.onThrown(operator, thrown);
                return;
            }
            if (passes) {
                next.accept(value);
            }
        }
    }

    static final class Peek implements Receiver {
        private final String operator;
        private final Frame frame;
        private final PeekFunction<Object> function;
        private final Receiver next;

        record Parts(String operator, Frame frame, PeekFunction<Object> function, Receiver next)
                implements Specialiser.Parts<Receiver> {
            @Override
            public Class<Peek> type() {
                return Peek.class;
            }
        }

        Peek(Peek.Parts parts) {
            operator = parts.operator();
            frame = parts.frame();
            function = parts.function();
            next = parts.next();
        }

        @Override
        public void accept(Object value) throws Exception {
            try {
                function.accept(value);
            } catch (Throwable thrown) {
                frame.onThrown(operator, thrown);
                return;
            }
            next.accept(value);
        }
    }
}
