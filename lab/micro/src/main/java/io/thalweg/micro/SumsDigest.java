// SPDX-License-Identifier: Apache-2.0
package io.thalweg.micro;

import io.thalweg.api.connector.Sink;
import io.thalweg.api.connector.SinkContext;
import io.thalweg.api.connector.SinkWriter;
import io.thalweg.api.window.WindowResult;

/** Takes the results of windows, in any order, into one number that any wrong sum changes. */
record SumsDigest(String name) implements Sink<WindowResult<Measured.Key, Measured.Sums>> {
    @Override
    public SinkWriter<WindowResult<Measured.Key, Measured.Sums>> open(SinkContext context) {
        return new Writer();
    }

    static final class Writer implements SinkWriter<WindowResult<Measured.Key, Measured.Sums>> {
        private long count;
        private long digest;

        @Override
        public void write(WindowResult<Measured.Key, Measured.Sums> result) {
            count++;
            digest += digest(result);
        }

        @Override
        public void finish() {
            Tally.add(count, digest);
        }
    }

    static long digest(WindowResult<Measured.Key, Measured.Sums> result) {
        Measured.Key key = result.key();
        Measured.Sums sums = result.value();
        long k = key.a() + 31L * (key.b() + 31L * (key.c() + 31L * (key.d() + 31L * (key.e() + 31L * key.f()))));
        long v = sums.p() + 1_000_003 * (sums.q() + 1_000_003 * (sums.r() + 1_000_003 * sums.s()));
        return ((k * 0x9E3779B97F4A7C15L) ^ result.start()) * 0xBF58476D1CE4E5B9L * (v | 1) + v;
    }
}
