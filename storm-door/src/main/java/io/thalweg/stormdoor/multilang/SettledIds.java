// SPDX-License-Identifier: Apache-2.0
package io.thalweg.stormdoor.multilang;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/** The ids of a spout's tuples that were acked or have failed, until its child is told. */
final class SettledIds {
    private static final int MOST = 512;

    /** Fewer than a pipe holds, so that a child which writes before it reads does not wait for who writes to it. */
    private static final int MOST_LETTERS = 1 << 14;

    private record Settled(String command, Object id) {}

    private final List<Settled> waiting = new ArrayList<>();
    private int letters;

    /** @param command {@code ack} or {@code fail} */
    void add(String command, Object id) {
        waiting.add(new Settled(command, id));
        letters += id instanceof String text ? text.length() : Long.BYTES;
    }

    boolean isEmpty() {
        return waiting.isEmpty();
    }

    /** Whether the child is to be told now. */
    boolean isEnough() {
        return waiting.size() >= MOST || letters >= MOST_LETTERS;
    }

    void clear() {
        waiting.clear();
        letters = 0;
    }

    /**
     * What is to be sent.
     *
     * @param together whether the ids of one command are one message: whole numbers as the bytes of longs, the lowest first, or a list
     */
    List<ToChild> take(boolean together) {
        List<ToChild> messages = new ArrayList<>();
        if (together) {
            int from = 0;
            for (int at = 1; at <= waiting.size(); at++) {
                if (at == waiting.size() || !isLike(waiting.get(from), waiting.get(at))) {
                    messages.add(together(waiting.subList(from, at)));
                    from = at;
                }
            }
        } else {
            waiting.forEach(each -> messages.add(new ToChild.Command(each.command, each.id)));
        }
        clear();
        return messages;
    }

    private static boolean isLike(Settled one, Settled other) {
        return one.command.equals(other.command) && isWhole(one.id) == isWhole(other.id);
    }

    private static boolean isWhole(Object id) {
        return id instanceof Long || id instanceof Integer;
    }

    private static ToChild together(List<Settled> some) {
        Settled first = some.get(0);
        if (!isWhole(first.id)) {
            return new ToChild.Command(
                    first.command + "s", some.stream().map(Settled::id).toList());
        }
        ByteBuffer bytes = ByteBuffer.allocate(Long.BYTES * some.size()).order(ByteOrder.LITTLE_ENDIAN);
        some.forEach(each -> bytes.putLong(((Number) each.id).longValue()));
        return new ToChild.Command(first.command + "s", bytes.array());
    }
}
