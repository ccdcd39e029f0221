// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.ack;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Trees of records that were derived from records of several trees. Such a tree has a root of its own, beyond those of all source tasks,
 * and stands in each of the others for a record that is done when it is complete. Any thread may call.
 */
public final class JoinedTrees {
    /** A tree that is complete or has failed, and what it stands for. */
    public static final class Joint {
        private final long[] roots;
        private final long[] ids;

        /** Sum of the ids of its own records; guarded by this. */
        private long open;

        private Joint(long[] roots, long[] ids, long open) {
            this.roots = roots;
            this.ids = ids;
            this.open = open;
        }

        private synchronized boolean change(long by) {
            open ^= by;
            return open == 0;
        }

        /** Reports to each of the other trees that the record that this one stands for is done. */
        public void release(Reports reports) {
            for (int i = 0; i < roots.length; i++) {
                reports.report(roots[i], ids[i]);
            }
        }

        /** Each of the other trees has failed. */
        public void fail(Reports reports, String operator, String reason) {
            for (long root : roots) {
                reports.fail(root, operator, reason);
            }
        }
    }

    private final long first;
    private final AtomicLong made;
    private final ConcurrentHashMap<Long, Joint> open = new ConcurrentHashMap<>();

    /** @param sources how many source tasks there are */
    public JoinedTrees(int sources) {
        first = Pending.firstRootOf(sources);
        made = new AtomicLong(first);
    }

    /** True if the root is that of such a tree. */
    public boolean owns(long root) {
        return root >= first;
    }

    /**
     * Begins a tree, before its first record is sent.
     *
     * @param roots of the trees that it is derived from, none of them 0
     * @param ids of the record in each of them
     * @param id of the record in the new tree
     * @return its root
     */
    long begin(long[] roots, long[] ids, long id) {
        long root = made.incrementAndGet();
        open.put(root, new Joint(roots, ids, id));
        return root;
    }

    /** Applies a {@link Reports#report}; returns the tree if it is complete now. */
    public @Nullable Joint report(long root, long ids) {
        Joint joint = open.get(root);
        return joint != null && joint.change(ids) && open.remove(root, joint) ? joint : null;
    }

    /** Forgets a tree that has failed; null if it has ended before. */
    public @Nullable Joint fail(long root) {
        return open.remove(root);
    }
}
