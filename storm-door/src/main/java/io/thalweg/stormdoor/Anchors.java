// SPDX-License-Identifier: Apache-2.0
package io.thalweg.stormdoor;

import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.Iterator;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Set;
import org.apache.storm.tuple.MessageId;
import org.apache.storm.tuple.Tuple;
import org.jspecify.annotations.Nullable;

/** The trees that a tuple belongs to, and its number in each: what Storm's {@link MessageId} holds, but without looking a tree up. */
final class Anchors extends AbstractMap<Long, Long> {
    final TupleTree tree;
    final long number;

    /** In other trees; null if there are none. */
    final @Nullable Anchors next;

    Anchors(TupleTree tree, long number, @Nullable Anchors next) {
        this.tree = tree;
        this.number = number;
        this.next = next;
    }

    /** Those of a tuple; null if it is in no tree that is still open. */
    static @Nullable Anchors of(Tuple tuple, Host host) {
        Map<Long, Long> all = tuple.getMessageId().getAnchorsToIds();
        if (all instanceof Anchors ours) {
            return ours;
        }
        Anchors found = null;
        for (Map.Entry<Long, Long> each : all.entrySet()) { // a bolt has read the tuple from its state
            TupleTree tree = host.tree(each.getKey());
            found = tree == null ? found : new Anchors(tree, each.getValue(), found);
        }
        return found;
    }

    /** Of trees with the number that a tuple has in each; null if there are none. */
    static @Nullable Anchors of(Map<TupleTree, Long> numbers) {
        Anchors all = null;
        for (Map.Entry<TupleTree, Long> each : numbers.entrySet()) {
            all = new Anchors(each.getKey(), each.getValue(), all);
        }
        return all;
    }

    @Override
    public boolean isEmpty() {
        return false;
    }

    @Override
    public Set<Entry<Long, Long>> entrySet() {
        return new AbstractSet<>() {
            @Override
            public Iterator<Entry<Long, Long>> iterator() {
                return entries();
            }

            @Override
            public int size() {
                int size = 0;
                for (Anchors each = Anchors.this; each != null; each = each.next) {
                    size++;
                }
                return size;
            }
        };
    }

    private Iterator<Entry<Long, Long>> entries() {
        return new Iterator<>() {
            private @Nullable Anchors at = Anchors.this;

            @Override
            public boolean hasNext() {
                return at != null;
            }

            @Override
            public Entry<Long, Long> next() {
                Anchors its = at;
                if (its == null) {
                    throw new NoSuchElementException();
                }
                at = its.next;
                return new SimpleImmutableEntry<>(its.tree.root, its.number);
            }
        };
    }
}
