// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.chain;

/** A stage that holds records back until it has enough of them to process together. */
public interface BatchingStage extends Stage {
    /**
     * Processes what is held back, while there is room. Called whenever the task has taken input, so that no record waits
     * for the next one.
     */
    void settle() throws Exception;

    @Override
    default void resume() throws Exception {
        settle();
    }
}
