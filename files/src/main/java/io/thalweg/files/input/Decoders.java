// SPDX-License-Identifier: Apache-2.0
package io.thalweg.files.input;

import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.function.Supplier;

/** What the chunks of a split are decoded with. A parser serves one thread at a time; there are as many as decode at once. */
final class Decoders<T> {
    private final String split;
    private final int maxLineBytes;
    private final Supplier<LineParser<T>> parsers;
    private final Runnable onDone;
    private final ConcurrentLinkedDeque<LineParser<T>> idle = new ConcurrentLinkedDeque<>();

    /** @param onDone run by the thread that decoded a chunk */
    Decoders(String split, int maxLineBytes, Supplier<LineParser<T>> parsers, Runnable onDone) {
        this.split = split;
        this.maxLineBytes = maxLineBytes;
        this.parsers = parsers;
        this.onDone = onDone;
    }

    String split() {
        return split;
    }

    int maxLineBytes() {
        return maxLineBytes;
    }

    Runnable onDone() {
        return onDone;
    }

    LineParser<T> borrow() {
        LineParser<T> parser = idle.pollFirst();
        return parser == null ? parsers.get() : parser;
    }

    void giveBack(LineParser<T> parser) {
        idle.addFirst(parser);
    }
}
