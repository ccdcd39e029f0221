// SPDX-License-Identifier: Apache-2.0
package io.thalweg.python;

import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.List;
import java.util.regex.Pattern;

/**
 * What a process writes to standard error, and by {@code print} to standard output. Shows the first lines, keeps the last ones for
 * messages, and reads all, so that the process never waits.
 */
final class Transcript implements Runnable {
    private static final System.Logger LOG = System.getLogger("io.thalweg.python");
    private static final int MOST_SHOWN = 200;
    private static final int MOST_KEPT = 40;
    private static final int LONGEST = 1_000;

    private final String name;
    private final InputStream in;
    /** What faulthandler begins with when its time is up. The function may print of timeouts, too. */
    private static final Pattern TIMEOUT = Pattern.compile("Timeout \\(\\d+:\\d\\d:\\d\\d(\\.\\d+)?\\)!");

    private final ArrayDeque<String> last = new ArrayDeque<>();
    private volatile boolean timedOut;
    private long lines;

    /** @param name of the process, before each line that is shown */
    Transcript(String name, InputStream in) {
        this.name = name;
        this.in = in;
    }

    @Override
    public void run() {
        try (Reader reader = new InputStreamReader(in, StandardCharsets.UTF_8)) {
            char[] buffer = new char[8192];
            StringBuilder line = new StringBuilder();
            for (int read = reader.read(buffer); read >= 0; read = reader.read(buffer)) {
                for (int i = 0; i < read; i++) {
                    if (buffer[i] == '\n') {
                        add(line);
                    } else if (line.length() < LONGEST) {
                        line.append(buffer[i]);
                    }
                }
            }
            if (line.length() > 0) {
                add(line);
            }
        } catch (IOException e) {
            // closed, since the process has ended
        }
    }

    private void add(StringBuilder line) {
        String text = line.toString().stripTrailing().replaceAll("[\\p{Cntrl}&&[^\t]]", "?"); // terminals obey them
        line.setLength(0);
        if (TIMEOUT.matcher(text).matches()) {
            timedOut = true;
        }
        synchronized (last) {
            last.add(text);
            if (last.size() > MOST_KEPT) {
                last.remove();
            }
        }
        lines++;
        if (lines <= MOST_SHOWN) {
            LOG.log(System.Logger.Level.INFO, () -> name + ": " + text);
        } else if (lines == MOST_SHOWN + 1) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    () -> name + ": it has written " + MOST_SHOWN + " lines; what else it writes is not shown");
        }
    }

    /** Whether it has said that its time is up. The places where its threads are follow, which may be more lines than are kept. */
    boolean timedOut() {
        return timedOut;
    }

    /** The last lines, oldest first. */
    List<String> lastLines() {
        synchronized (last) {
            return List.copyOf(last);
        }
    }
}
