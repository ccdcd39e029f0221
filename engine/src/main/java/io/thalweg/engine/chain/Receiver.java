// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.chain;

/** Takes the next record; its event time and stamp are in the task's {@link Frame}. The only call in the hot path. */
public interface Receiver {
    void accept(Object value) throws Exception;
}
