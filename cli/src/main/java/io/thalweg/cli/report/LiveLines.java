// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli.report;

import java.io.PrintStream;
import java.util.List;

/**
 * A few lines at the bottom of a terminal, rewritten in place. Each rewriting is one write, so that nothing flickers.
 * Between writes the cursor stands at the begin of the first line: whoever wants to print lets {@link #clear} come
 * first. Any thread may call.
 */
final class LiveLines {
    private static final String ESCAPE = "\u001b[";
    private static final String CLEAR_BELOW = ESCAPE + "J";
    private static final String CLEAR_REST_OF_LINE = ESCAPE + "K";
    /** A line too long for the terminal is cut by it instead of breaking into two. */
    private static final String CUT_LINES = ESCAPE + "?7l";

    private static final String BREAK_LINES = ESCAPE + "?7h";

    private final PrintStream terminal;
    private boolean shown;
    private boolean closed;

    LiveLines(PrintStream terminal) {
        this.terminal = terminal;
    }

    synchronized void show(List<String> lines) {
        if (closed) {
            return;
        }
        StringBuilder text = new StringBuilder("\r").append(CUT_LINES);
        for (int i = 0; i < lines.size(); i++) {
            text.append(i == 0 ? "" : "\n").append(lines.get(i)).append(CLEAR_REST_OF_LINE);
        }
        text.append('\r').append(BREAK_LINES);
        if (lines.size() > 1) {
            text.append(ESCAPE).append(lines.size() - 1).append('A');
        }
        write(text);
        shown = true;
    }

    synchronized void clear() {
        if (shown) {
            write(new StringBuilder("\r").append(CLEAR_BELOW));
            shown = false;
        }
    }

    /** Clears, and shows nothing ever after. */
    synchronized void close() {
        clear();
        closed = true;
    }

    private void write(StringBuilder text) {
        terminal.print(text);
        terminal.flush();
    }
}
