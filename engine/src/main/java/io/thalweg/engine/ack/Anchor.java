// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.ack;

/**
 * Which source record the current record comes from, in one task. The records that came of a source record, its tree, have
 * ids. The sum of all ids by XOR, each once when it comes into being and once when it is done, is 0 when all are done, and
 * not before, in whatever order that is told (as in Storm's acker): a task tells with one number that its record is done and
 * what came of it. A task that makes one record of one, at most, hands on the id instead, and tells nothing.
 */
public final class Anchor {
    private static final int TASK_SHIFT = 40;

    private final Reports reports;
    private final boolean oneOfOne;

    /** Of the source record; 0 if there is none. */
    private long root;

    /** Of the current record; if it is handed on, 0 from then on. */
    private long id;

    /** The tree is not to come to an end: what comes of it still is of no account. */
    private boolean failed;

    /** Ids are this number mixed: no two are equal in one job. */
    private long made;

    /**
     * @param task number of the task in the job
     * @param oneOfOne what comes of a record is one record at most, whatever it is
     */
    public Anchor(int task, boolean oneOfOne, Reports reports) {
        this.oneOfOne = oneOfOne;
        this.reports = reports;
        made = (long) (task + 1) << TASK_SHIFT;
    }

    /** A new id, never 0. */
    public long newId() {
        return mix(++made);
    }

    /** What comes from now on comes of this record. */
    public void begin(long ofRoot, long ofRecord) {
        root = ofRoot;
        id = ofRecord;
        failed = false;
    }

    /** The root of the current record; 0 if it comes of none, as what a window emits. */
    public long root() {
        return root;
    }

    /** The id of one more record that comes of the current one. */
    public long next() {
        if (root == 0) {
            return 0;
        }
        long next = oneOfOne ? id : newId();
        id ^= next;
        return next;
    }

    /** All that comes of the current record has its id. */
    public void end() {
        long of = root;
        if (of != 0) {
            root = 0;
            if (id != 0 && !failed) {
                reports.report(of, id);
            }
        }
    }

    /** The root of the current record is to be retried. Its tree can come to no end any more. */
    public void fail(String operator, String reason) {
        failed = true;
        reports.fail(root, operator, reason);
    }

    /** The current record is not done until {@link #release}; gives the id to release it by. */
    public long withhold() {
        failed = true;
        return id;
    }

    /** A record that was withheld is done. */
    public void release(long ofRoot, long ofRecord) {
        if (ofRecord != 0) {
            reports.report(ofRoot, ofRecord);
        }
    }

    /** A bijection that leaves only 0 as it is (the finalizer of MurmurHash3, by Austin Appleby). */
    private static long mix(long value) {
        long x = value;
        x = (x ^ (x >>> 33)) * 0xff51afd7ed558ccdL;
        x = (x ^ (x >>> 33)) * 0xc4ceb9fe1a85ec53L;
        return x ^ (x >>> 33);
    }
}
