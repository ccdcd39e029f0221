// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.route;

/**
 * One of the tasks behind an edge. A class and no interface: as long as the JVM has loaded only one subclass, as where no other
 * engine hosts tasks, the JIT need not check which one it calls.
 */
abstract class Target {
    /** Records sent since it was last asked. */
    long count;

    abstract void send(Object value);
}
