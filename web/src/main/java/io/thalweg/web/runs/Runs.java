// SPDX-License-Identifier: Apache-2.0
package io.thalweg.web.runs;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** The runs of a machine, and what was tuned on it, for {@link RunsPage}. Threads of the server call it, several at once; it may take a moment. */
public interface Runs {
    /** Jobs that run now: an object of JSON for each, with what {@code thalweg status --json} says, or an id and a {@code problem}. */
    List<String> running();

    /**
     * Summaries that a {@link RunRecord} has written, the newest run first.
     *
     * @throws RuntimeException if they cannot be read; its message is shown
     */
    List<String> past();

    /**
     * The details that a {@link RunRecord} has written; null if there is no such run.
     *
     * @throws RuntimeException if they cannot be read; its message is shown
     */
    @Nullable String past(String id);

    /**
     * Summaries of tunings: objects of JSON with {@code id}, {@code topology}, {@code job}, {@code startedMs}, {@code changedMs},
     * {@code elapsedMs}, {@code state} and {@code over}; where they are known, with {@code web}, {@code goal}, {@code steps},
     * {@code kept} and {@code gain}. The newest one first.
     *
     * @throws RuntimeException if they cannot be read; its message is shown
     */
    List<String> tunings();

    /**
     * The details of a tuning, as {@link TunePage} shows them; null if there is no such tuning.
     *
     * @throws RuntimeException if they cannot be read; its message is shown
     */
    @Nullable String tuning(String id);

    /** Where runs and tunings are kept, for people. */
    String place();
}
