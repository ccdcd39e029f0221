// SPDX-License-Identifier: Apache-2.0
package io.thalweg.run;

/** Is told, once for each task, of a call that has held a worker for over a second; on a thread of its own. */
@FunctionalInterface
public interface SlowCallListener {
    /** @param where the user's class, method, file and line that the call was in; empty if that is not known */
    void slow(String topology, String task, String where);
}
