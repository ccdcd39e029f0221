// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.chain;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Which records made an operator fail, and how often, over all starts of a job. Records are told apart by their text. Any
 * thread may call.
 */
public final class Poison {
    private final int tries;
    private final Map<String, Integer> failures = new ConcurrentHashMap<>();

    /** @param tries after so many failures a record is given up; 0 for never */
    public Poison(int tries) {
        this.tries = tries;
    }

    /** Counts one more failure; true where the record is to be given up. */
    boolean givesUp(String operator, String record) {
        return tries > 0 && failures.merge(operator + '\n' + record, 1, Integer::sum) >= tries;
    }

    int tries() {
        return tries;
    }
}
