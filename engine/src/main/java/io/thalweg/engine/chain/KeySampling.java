// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.chain;

import io.thalweg.api.codec.Codec;
import io.thalweg.api.operator.MapFunction;
import io.thalweg.api.operator.NullValueException;
import io.thalweg.run.KeyListener;

/**
 * Looks at the keys of some of the records that pass: of the first 256, then of one in 16, and fewer the more there are. The distance between two of them is
 * random, so that records which come in turn do not deceive it. It exists only where somebody listens.
 */
final class KeySampling implements Receiver {
    /** So many records are looked at one after the other, so that a slow job has samples soon. */
    private static final int FIRST_SAMPLES = 256;

    /** Of a call that is as rare, the JIT leaves the code out of the hot path, and so the code of the key. */
    private static final int FIRST_STRIDE = 16;

    /** After so many samples, half as many are taken. */
    private static final int SAMPLES_OF_A_STRIDE = 4_096;

    /** Then a sample costs less than a nanosecond for each record. */
    private static final int MOST_STRIDE = 1_024;

    private final String operator;
    private final Frame frame;
    private final MapFunction<Object, Object> key;
    private final Codec<Object> keyCodec;
    private final KeyListener.Samples samples;
    private final Receiver next;

    /** Records that each sample stands for, on average. */
    private int stride = 1;

    private int taken;

    /** Records to let pass before the next sample. */
    private int skip;

    private int random = 0x9E3779B9;

    /** @param operator that gets the records */
    record Parts(
            String operator,
            Frame frame,
            MapFunction<Object, Object> key,
            Codec<Object> keyCodec,
            KeyListener.Samples samples,
            Receiver next)
            implements Specialiser.Parts<Receiver> {
        @Override
        public Class<KeySampling> type() {
            return KeySampling.class;
        }
    }

    KeySampling(KeySampling.Parts parts) {
        operator = parts.operator();
        frame = parts.frame();
        key = parts.key();
        keyCodec = parts.keyCodec();
        samples = parts.samples();
        next = parts.next();
    }

    @Override
    public void accept(Object value) throws Exception {
        if (skip > 0) {
            skip--;
        } else if (!sample(value)) {
            return;
        }
        next.accept(value);
    }

    /** False if the record has no key. Then it is bad, as it would be at the next operator, and has been counted. */
    private boolean sample(Object value) throws Exception {
        int hash;
        try {
            Object found = key.apply(value);
            if (found == null) {
                throw NullValueException.ofKey(key, value);
            }
            hash = keyCodec.hash(found);
        } catch (Throwable thrown) {
            frame.onThrown(operator, thrown);
            return false;
        }
        samples.add(hash, stride);
        taken++;
        if (stride == 1 && taken == FIRST_SAMPLES) {
            stride = FIRST_STRIDE;
            taken = 0;
        } else if (stride < MOST_STRIDE && taken == SAMPLES_OF_A_STRIDE) {
            stride *= 2;
            taken = 0;
        }
        random ^= random << 13;
        random ^= random >>> 17;
        random ^= random << 5;
        skip = (random >>> 1) % (2 * stride - 1); // from 0 to 2 (stride - 1), which is stride - 1 on average
        return true;
    }
}
