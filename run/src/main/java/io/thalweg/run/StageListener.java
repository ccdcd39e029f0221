// SPDX-License-Identifier: Apache-2.0
package io.thalweg.run;

/**
 * Is told which class runs which operator, so that a profiler can tell operators apart that share a thread. Not called
 * with {@link RunSettings#withSpecialise withSpecialise(false)}, when operators of a kind share a class.
 */
@FunctionalInterface
public interface StageListener {
    /**
     * A class was made that runs this operator in one task, before that task begins. Called from the thread that starts
     * the job, again after each restart.
     *
     * @param operator name of the operator; of what reads a queue, the first operator behind it
     * @param className as {@link Class#getName} has it; no other class has this name
     */
    void made(String operator, String className);
}
