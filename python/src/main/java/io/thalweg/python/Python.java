// SPDX-License-Identifier: Apache-2.0
package io.thalweg.python;

import io.thalweg.api.connector.ConnectorException;
import java.nio.file.Path;

/**
 * Operators written in Python. Each task runs the function in Python processes of its own, which need Python 3.9 or newer and
 * nothing else: the Python package {@code thalweg} comes with this module. Linux and macOS only.
 *
 * <pre>{@code
 * Stream<Score> scores = Python.operator(settings.file("script", "scoring.py"), "score")
 *         .timeout(Duration.ofSeconds(10))
 *         .map(quakes, Score.class);
 * }</pre>
 */
public final class Python {
    private Python() {}

    /**
     * A function in a file. The file is read now and sent with the job, so it need not be on the machines of a cluster.
     *
     * @param file of Python source
     * @param function name of a function, or of a class whose objects can be called; with dots for one within another
     * @throws ConnectorException if the file cannot be read
     */
    public static PythonOperator operator(Path file, String function) {
        return new PythonOperator(Program.of(file, function), Options.DEFAULT);
    }

    /** The same as {@link #operator(Path, String)}; the file is relative to the working directory. */
    public static PythonOperator operator(String file, String function) {
        return operator(Path.of(file), function);
    }
}
