// SPDX-License-Identifier: Apache-2.0
package io.thalweg.python;

import java.io.Serializable;

/**
 * How a function is run; {@link PythonOperator} says what each of them means.
 *
 * @param startMs how long a process may take until it is ready
 */
record Options(
        String interpreter,
        int processes,
        int batchRows,
        long lingerMs,
        int inFlight,
        long timeoutMs,
        long startMs,
        int restarts,
        int largestRow,
        int largestState,
        boolean ordered)
        implements Serializable {
    private static final long serialVersionUID = 1L;

    static final Options DEFAULT = new Options("python3", 1, 512, 0, 4096, 60_000, 120_000, 3, 64 << 20, 1 << 20, true);
}
