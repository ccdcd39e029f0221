// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.driver;

/**
 * Of a run that checks every record. A class of its own, which runs that are timed do not load, so that the JIT knows only the
 * other's methods there.
 */
final class CheckingSinkMeter extends SinkMeter {
    private final CheckLog log = new CheckLog();

    CheckingSinkMeter(Meters meters) {
        super(meters);
    }

    @Override
    public boolean checks() {
        return true;
    }

    /** Nobody but the engine knows the key. */
    @Override
    public void measures(long records, long sumOfNumbers, long[] sums) {
        log.add(new CheckLog.Row(0, new long[] {records, sumOfNumbers}, sums.clone()));
    }

    @Override
    public void data(byte[] data) {
        if (!Payload.isAsMade(data)) {
            log.addStrange();
        }
    }

    @Override
    public void damaged() {
        log.addStrange();
        super.damaged();
    }

    @Override
    public void received(long number) {
        log.add(number);
        super.received(number);
    }

    @Override
    public void group(long startMs, int[] key, long[] sums) {
        log.add(new CheckLog.Row(startMs, CheckLog.longs(key), sums.clone()));
    }

    @Override
    public void window(long startMs, long key, long count, long sum, long greatest) {
        log.add(new CheckLog.Row(startMs, new long[] {key}, new long[] {count, sum, greatest}));
    }

    @Override
    public void running(long count, long sum, long greatest) {
        log.add(new CheckLog.Row(greatest, new long[0], new long[] {count, sum, greatest}));
    }

    @Override
    CheckLog log() {
        return log;
    }
}
