// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.route;

/**
 * A downstream task of an edge. A class, not an interface: while the JVM has loaded only one subclass, as is usual when
 * no other engine hosts tasks, the JIT need not check the type of a call.
 */
abstract class Target {
    /** Records sent since the last call of {@link Sender#takeCount}. */
    long count;

    abstract void send(Object value);
}
