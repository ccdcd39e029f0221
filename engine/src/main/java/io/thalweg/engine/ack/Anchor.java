// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.ack;

/**
 * Which source record the current record of a task comes from. All records derived from a source record are its tree,
 * and each has an id. The XOR of all ids, each taken once when the record is created and once when it is done, is 0
 * when all are done and not before, in whatever order the reports arrive (as in Storm's acker). One number reports that
 * a record is done and which records were derived from it. A task that makes at most one record from each passes the id
 * on instead, and reports nothing.
 */
public final class Anchor {
    private static final int TASK_SHIFT = 40;

    private final Reports reports;
    private final boolean oneOfOne;

    /** Of the source record; 0 if there is none. */
    private long root;

    /** Of the current record; 0 once it was passed on. */
    private long id;

    /** The tree has failed: what is still derived from it is not reported. */
    private boolean failed;

    /** Counts the ids; each id is this number, mixed. Ids are unique in a job. */
    private long made;

    /**
     * @param task number of the task in the job
     * @param oneOfOne the task makes at most one record from each
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

    /** Records emitted from now on are derived from this one. */
    public void begin(long ofRoot, long ofRecord) {
        root = ofRoot;
        id = ofRecord;
        failed = false;
    }

    /**
     * Records emitted from now on are derived from one that is derived from several.
     *
     * @param roots of the trees that they belong to, none of them 0
     * @param ids of the record in each of them
     */
    public void begin(long[] roots, long[] ids) {
        long joint = newId();
        begin(reports.joints().begin(roots, ids, joint), joint);
    }

    /** The root of the current record; 0 if it has none, such as the result of a window. */
    public long root() {
        return root;
    }

    /** The id of one more record that is derived from the current one. */
    public long next() {
        if (root == 0) {
            return 0;
        }
        long next = oneOfOne ? id : newId();
        id ^= next;
        return next;
    }

    /** All records that are derived from the current one have their ids. */
    public void end() {
        long of = root;
        if (of != 0) {
            root = 0;
            if (id != 0 && !failed) {
                reports.report(of, id);
            }
        }
    }

    /** The current record, to return to after another one. */
    public record Place(long root, long id, boolean failed) {}

    public Place place() {
        return new Place(root, id, failed);
    }

    public void returnTo(Place place) {
        root = place.root();
        id = place.id();
        failed = place.failed();
    }

    /** Marks the root of the current record for retry. Its tree will never be complete. */
    public void fail(String operator, String reason) {
        failed = true;
        reports.fail(root, operator, reason);
    }

    /** Keeps the current record from being done until {@link #release}, which takes the id that this returns. */
    public long withhold() {
        failed = true;
        return id;
    }

    /** A withheld record is done. */
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
