// SPDX-License-Identifier: Apache-2.0
package io.thalweg.stormdoor;

import java.util.concurrent.ConcurrentHashMap;

/**
 * Which tuples are still open of those that a spout emitted with an id, and all that was anchored to them. Each tuple of a tree has
 * a random number; the tree keeps the XOR of all numbers, once when a tuple is made and once when it is acked, so that it is zero when
 * all are done. Any thread may call.
 */
final class TupleTrees {
    /** Who emitted the tuple at the root. */
    interface Owner {
        /** The tree is complete, or has failed. Any thread may call. */
        void onEnd(long root, boolean acked);

        /** A bolt needs more time. */
        void onMoreTime(long root);
    }

    private static final class Tree {
        final Owner owner;

        /** Guarded by this. */
        long open;

        Tree(Owner owner, long open) {
            this.owner = owner;
            this.open = open;
        }

        synchronized boolean change(long by) {
            open ^= by;
            return open == 0;
        }
    }

    private final ConcurrentHashMap<Long, Tree> trees = new ConcurrentHashMap<>();

    /**
     * Begins a tree, before its first tuples are sent.
     *
     * @param open the XOR of their numbers; 0 if there are none, and then the tree ends at once
     */
    void begin(long root, long open, Owner owner) {
        if (open == 0) {
            owner.onEnd(root, true);
        } else {
            trees.put(root, new Tree(owner, open));
        }
    }

    /**
     * A tuple was acked.
     *
     * @param by its number, XOR those of the tuples anchored to it
     */
    void change(long root, long by) {
        Tree tree = trees.get(root);
        if (tree != null && tree.change(by) && trees.remove(root, tree)) {
            tree.owner.onEnd(root, true);
        }
    }

    /** A tuple has failed: the rest of its tree no longer counts. */
    void fail(long root) {
        Tree tree = trees.remove(root);
        if (tree != null) {
            tree.owner.onEnd(root, false);
        }
    }

    /** The owner gave it up. */
    void forget(long root) {
        trees.remove(root);
    }

    void moreTime(long root) {
        Tree tree = trees.get(root);
        if (tree != null) {
            tree.owner.onMoreTime(root);
        }
    }
}
