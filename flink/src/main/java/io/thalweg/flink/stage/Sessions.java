// SPDX-License-Identifier: Apache-2.0
package io.thalweg.flink.stage;

import io.thalweg.api.codec.ByteReader;
import io.thalweg.api.codec.ByteWriter;
import io.thalweg.api.codec.Codec;
import io.thalweg.api.codec.CompositeCodec;
import io.thalweg.api.codec.Type;
import io.thalweg.run.time.SavedSession;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;

/** The sessions of one key, and the records that wait to be applied to them. */
final class Sessions {
    /** A session, or a record that waits to be applied (then its end is its time plus the gap). */
    static final class Session {
        long start;
        long end;
        Object accumulator;
        boolean fired;

        /** For a record: the watermark that its split had before it. */
        final long stamp;

        Session(long start, long end, Object accumulator, long stamp) {
            this.start = start;
            this.end = end;
            this.accumulator = accumulator;
            this.stamp = stamp;
        }

        private Session(SavedSession saved) {
            this(saved.start(), saved.end(), saved.accumulator(), saved.stamp());
            fired = saved.fired();
        }

        private SavedSession saved() {
            return new SavedSession(start, end, stamp, fired, accumulator);
        }
    }

    final List<Session> open = new ArrayList<>(1);

    /** In order of their stamps; with equal stamps in order of arrival. */
    final List<Session> waiting = new ArrayList<>(1);

    void await(Session record) {
        int at = waiting.size();
        while (at > 0 && waiting.get(at - 1).stamp > record.stamp) {
            at--;
        }
        waiting.add(at, record);
    }

    static Type<Sessions> type(Type<Object> accumulators) {
        return Type.custom(Sessions.class, new Form(accumulators));
    }

    private record Form(Type<Object> accumulators) implements CompositeCodec<Sessions>, Serializable {
        @Override
        public List<Type<?>> parts() {
            return List.of(accumulators);
        }

        @Override
        public void encode(Sessions value, ByteWriter out) {
            write(value.open, out);
            write(value.waiting, out);
        }

        private void write(List<Session> sessions, ByteWriter out) {
            out.writeVarLong(sessions.size());
            for (Session session : sessions) {
                session.saved().write(out, accumulators.codec());
            }
        }

        @Override
        public Sessions decode(ByteReader in) {
            return decode(in, List.of(accumulators.codec()));
        }

        @Override
        public Sessions decode(ByteReader in, List<Codec<Object>> parts) {
            Sessions sessions = new Sessions();
            read(in, parts.get(0), sessions.open);
            read(in, parts.get(0), sessions.waiting);
            return sessions;
        }

        private static void read(ByteReader in, Codec<Object> accumulators, List<Session> into) {
            for (long left = in.readVarLong(); left > 0; left--) {
                into.add(new Session(SavedSession.read(in, accumulators)));
            }
        }
    }
}
