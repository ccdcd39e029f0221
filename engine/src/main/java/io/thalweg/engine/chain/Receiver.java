// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.chain;

/** Takes the next record; its event time and stamp are in the task's {@link Frame}. The one call of the hot path. */
public interface Receiver {
    void accept(Object value) throws Exception;
}
